import { contactListItems, contactLists } from "@prosa/contract";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { features } from "#server/app/features.ts";
import type { Lines } from "#server/features/connections/index.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { contactListsFeature } from "../feature.ts";
import { maxCheckAttempts } from "./number-check.ts";

type Answer = (numbers: readonly string[]) => Promise<readonly (readonly [string, PersonRef])[]>;

/** A list in a company with a line, whose WhatsApp answers as the test says. */
async function aCheckedList(answer: Answer, isConnected = true) {
  const asked: string[][] = [];
  const call = async (_actor: unknown, _id: number, _method: string, numbers: readonly string[]) => {
    asked.push([...numbers]);
    return answer(numbers);
  };
  const lines = { call } as unknown as Pick<Lines, "call">;
  const own = contactListsFeature({ findErasedNumbers, check: { lines: () => lines, pauseMs: 0 } });
  const app = await createTestApp({ features: features.map((each) => (each.name === own.name ? own : each)) });
  onTestFinished(() => app.close());
  const company = await aCompany(app);
  const connect = () => aConnection(company, { number: "5511990000001" });
  if (isConnected) {
    await connect();
  }
  const admin = app.as(company.admin);
  const { body: list } = await admin.call(contactLists.create, { body: { name: "Clientes" } });
  const params = { id: list.id };
  return {
    ...{ app, company, admin, params, asked, connect },
    read: async () => (await admin.call(contactLists.get, { params })).body,
    items: async () =>
      (await admin.call(contactListItems.list, { query: { contactListId: list.id } })).body.contacts.map(
        ({ name, number, isWhatsappValid }) => [name, number, isWhatsappValid],
      ),
    async upload(...rows: readonly string[]) {
      const body = new FormData();
      body.append("file", new Blob([["nome;numero", ...rows].join("\n")]), "a.csv");
      expect((await admin.call(contactLists.upload, { params, body })).status).toBe(200);
      await app.settle();
    },
    /** What waits for a time is due now. */
    async later() {
      await app.db.systemTx((tx) =>
        sql`update jobs set run_at = now() - interval '1 s' where state = 'live'`.execute(tx.db),
      );
      await app.settle();
    },
  };
}

const known =
  (people: Readonly<Record<string, PersonRef>>): Answer =>
  async (numbers) =>
    numbers.flatMap((number) => {
      const person = people[number];
      return person ? [[number, person] as const] : [];
    });

test("an import is checked by itself: valid ones as WhatsApp spells them, and each person once (K-02)", async () => {
  const list = await aCheckedList(
    known({
      "5511987650001": { phone: "551187650001", lid: "71" },
      "5511987650003": { phone: "5511987650003", lid: "73" },
      // another number of the person before
      "5511987650004": { phone: "5511987650004", lid: "73" },
    }),
  );
  const socket = await list.app.connect(list.company.admin);
  await list.upload("Ana;5511987650001", "Bia;5511987650002", "Caio;5511987650003", "Caio de novo;5511987650004");
  expect(await list.items()).toEqual([
    ["Ana", "551187650001", true],
    ["Bia", "5511987650002", false],
    ["Caio", "5511987650003", true],
  ]);
  expect(await list.read()).toMatchObject({
    ...{ contactsCount: 3, validCount: 2, invalidCount: 1, checkState: "idle", duplicatesRemoved: 1 },
  });
  const { payload } = await socket.next(`company-${list.company.id}-ContactListItem-${list.params.id}`);
  expect(payload).toMatchObject({ action: "reload" });
  socket.close();
  const { rows } = await list.app.db.systemTx((tx) =>
    sql`select from event_log where type = 'contactList.checked'`.execute(tx.db),
  );
  expect(rows.length).toBeGreaterThan(0);
});

test("numbers are asked about in batches of 50, each once, also when the process dies between (K-02)", async () => {
  let dies = true;
  const list = await aCheckedList(async (numbers) => {
    if (numbers.includes("5531900000060") && dies) {
      dies = false;
      throw new Error("killed");
    }
    return numbers.map((number) => [number, { phone: number, lid: null }] as const);
  });
  await list.upload(...Array.from({ length: 120 }, (_, n) => `Pessoa ${n};${5_531_900_000_000 + n}`));
  expect(await list.read()).toMatchObject({ validCount: 50, checkState: "running" });
  await list.later();
  expect(await list.read()).toMatchObject({ validCount: 120, invalidCount: 0, checkState: "idle" });
  expect(list.asked.map((batch) => batch.length)).toEqual([50, 50, 50, 20]);
});

test("without a connected line the check waits and says so, and goes on by itself (K-02)", async () => {
  let isThere = false;
  const list = await aCheckedList(async (numbers) => {
    if (!isThere) {
      throw new SendError("notConnected", true);
    }
    return numbers.map((number) => [number, { phone: number, lid: null }] as const);
  }, false);
  await list.upload("Ana;5531900000001");
  expect(await list.read()).toMatchObject({ checkState: "waiting", validCount: 0 });
  expect(list.asked).toEqual([]);
  // the line is connected, and drops when it is asked
  await list.connect();
  await list.later();
  expect(await list.read()).toMatchObject({ checkState: "waiting" });
  isThere = true;
  await list.later();
  expect(await list.read()).toMatchObject({ checkState: "idle", validCount: 1 });
});

test("a line that never answers ends the check as failed; the button starts it again (K-02, E-01)", async () => {
  let isBroken = true;
  const list = await aCheckedList(async (numbers) => {
    if (isBroken) {
      throw new Error("Timed Out");
    }
    return numbers.map((number) => [number, { phone: number, lid: null }] as const);
  });
  await list.upload("Ana;5531900000001");
  for (let attempt = 0; attempt < 14; attempt += 1) {
    await list.later();
  }
  expect(await list.read()).toMatchObject({ checkState: "failed", validCount: 0 });
  isBroken = false;
  await list.admin.call(contactLists.check, { params: list.params, body: {} });
  await list.app.settle();
  expect(await list.read()).toMatchObject({ checkState: "idle", validCount: 1 });
});

test("failures that answers lie between do not add up: a long check outlives more of them than one batch may have (K-02)", async () => {
  const failuresABatch = maxCheckAttempts - 1;
  let failures = 0;
  const list = await aCheckedList(async (numbers) => {
    if (failures < failuresABatch) {
      failures += 1;
      throw new Error("Timed Out");
    }
    failures = 0;
    return numbers.map((number) => [number, { phone: number, lid: null }] as const);
  });
  await list.upload(...Array.from({ length: 120 }, (_, n) => `Pessoa ${n};${5_531_900_000_000 + n}`));
  for (let run = 0; run < 3 * maxCheckAttempts; run += 1) {
    await list.later();
  }
  expect(await list.read()).toMatchObject({ validCount: 120, checkState: "idle" });
});

test("another number of an item is checked again, and all numbers where somebody asks for it (K-02)", async () => {
  const valid = new Set(["5531900000001", "5531900000002"]);
  const list = await aCheckedList(async (numbers) =>
    numbers.filter((number) => valid.has(number)).map((number) => [number, { phone: number, lid: null }] as const),
  );
  await list.upload("Ana;5531900000001", "Bia;5531900000003");
  const { body } = await list.admin.call(contactListItems.list, { query: { contactListId: list.params.id } });
  const bia = body.contacts.find(({ name }) => name === "Bia")!;
  expect(bia.isWhatsappValid).toBe(false);
  const params = { id: bia.id };
  const changed = await list.admin.call(contactListItems.update, { params, body: { number: "5531900000002" } });
  expect(changed.body.isWhatsappValid).toBeNull();
  await list.app.settle();
  expect(await list.read()).toMatchObject({ validCount: 2, invalidCount: 0 });

  valid.delete("5531900000001");
  await list.admin.call(contactLists.check, { params: list.params, body: {} });
  await list.app.settle();
  expect(await list.read()).toMatchObject({ validCount: 2 });
  await list.admin.call(contactLists.check, { params: list.params, body: { again: true } });
  await list.app.settle();
  expect(await list.read()).toMatchObject({ validCount: 1, invalidCount: 1, checkState: "idle" });
});
