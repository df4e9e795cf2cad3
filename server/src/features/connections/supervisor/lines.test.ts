import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { WaSim } from "@prosa/wa-sim";
import type { Phone } from "@prosa/wa-sim";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { LeaseLostError } from "#server/whatsapp/port.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { renewConnection, startConnection, stopConnection } from "../session/session.service.ts";
import { createDriverHost } from "../driver-host/driver-host.ts";
import { acquireLeases } from "../leases/leases.queries.ts";
import { linesOf } from "../lines.ts";

const OWNER = "5511990000001";

let sim: WaSim;
let phone: Phone;
let apps: TestApp[];
let companyId: number;
let connectionId: number;

beforeEach(async () => {
  sim = await WaSim.start();
  phone = sim.phone(OWNER, { name: "Loja" });
  apps = [];
  const app = await aProcess();
  const company = await sql<{ id: number }>`insert into companies (name) values ('Padaria') returning id`.execute(
    app.db.system,
  );
  companyId = company.rows[0]?.id ?? 0;
  const connection = await sql<{ id: number }>`
    insert into connections (company_id, name) values (${companyId}, 'Loja') returning id`.execute(app.db.system);
  connectionId = connection.rows[0]?.id ?? 0;
});

afterEach(async () => {
  for (const app of apps.toReversed()) {
    linesOf(app.services).supervisor.crash();
    await app.close();
  }
  await sim.stop();
});

const received: { app: TestApp; events: readonly LineEvent[] }[] = [];

async function aProcess(): Promise<TestApp> {
  const sameDatabaseAs = apps[0];
  const app = await createTestApp({
    ...(sameDatabaseAs && { sameDatabaseAs }),
    env: { WHATSAPP_WS_URL: sim.wsUrl, SIMULATOR: "off" },
  });
  apps.push(app);
  linesOf(app.services).setIngest(async (ctx, _connectionId, events) => {
    received.push({ app, events });
    // A row of the same transaction, to be seen only if all of it was saved.
    for (const event of events) {
      ctx.emit({ type: "test.received", payload: { type: event.type } });
    }
  });
  return app;
}

async function started(app: TestApp): Promise<TestApp> {
  await linesOf(app.services).part.start();
  return app;
}

function inCompany<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { database } = only(apps[0]);
  return database.inCompany(companyId, work);
}

function only<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("there is none");
  }
  return value;
}

async function row() {
  const { db } = only(apps[0]);
  const { rows } = await sql<{
    status: string;
    reason: string | null;
    qrcode: string;
    number: string | null;
    owner: string | null;
  }>`select c.status, c.reason, c.qrcode, c.number, l.owner
     from connections c left join line_leases l on l.connection_id = c.id where c.id = ${connectionId}`.execute(
    db.system,
  );
  return rows[0];
}

async function untilRow(isSo: (found: NonNullable<Awaited<ReturnType<typeof row>>>) => boolean) {
  await expect.poll(async () => isSo(only(await row())), { interval: 50 }).toBe(true);
  return only(await row());
}

async function logged(): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select event from line_log where connection_id = ${connectionId} order by id`.execute(only(apps[0]).db.system);
  return rows.map(({ event }) => event);
}

async function aConnectedLine(): Promise<TestApp> {
  const app = await started(only(apps[0]));
  const { qrcode } = await untilRow(({ qrcode }) => qrcode !== "");
  await phone.scan(qrcode);
  await untilRow(({ status }) => status === "CONNECTED");
  return app;
}

test("a connection shows its QR, is scanned, and says its number (W-03, W-05)", async () => {
  const app = await aConnectedLine();
  expect(await row()).toEqual({
    status: "CONNECTED",
    reason: null,
    qrcode: "",
    number: OWNER,
    owner: linesOf(app.services).supervisor.owner,
  });
  expect([...linesOf(app.services).supervisor.owned()]).toEqual([connectionId]);
});

test("inbound events are ingested in the transaction that saves their keys; at rest the keys are sealed", async () => {
  await aConnectedLine();
  await sim.person("5511988880001", { name: "Ana" }).sends(OWNER, "bom dia");
  await sim.settled(OWNER);

  expect(received.flatMap(({ events }) => events)).toContainEqual(
    expect.objectContaining({ type: "message", message: expect.objectContaining({ pushName: "Ana" }) }),
  );
  const keys = await inCompany(async ({ db }) => db.selectFrom("wa_keys").select(["kind", "value"]).execute());
  expect(new Set(keys.map(({ kind }) => kind))).toContain("session");
  expect(keys.some(({ value }) => value.includes('"type":"Buffer"'))).toBe(false);

  const { registry } = only(apps[0]).services.metrics;
  expect(await registry.getSingleMetricAsString("prosa_messages_total")).toContain('{direction="in"} 1');
  expect(await registry.getSingleMetricAsString("prosa_lines")).toContain('{state="CONNECTED"} 1');
  expect(await registry.getSingleMetricAsString("prosa_lines_here")).toContain("prosa_lines_here 1");
});

test("a process that runs all lines alone looks each ten seconds whether they should change (W-05)", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { services } = await aConnectedLine();
  await services.db.listenNotify.ready();
  await linesOf(services).supervisor.reconcile();

  const asked = vi.spyOn(services.db, "systemRaw");
  for (let second = 0; second < 20; second += 1) {
    vi.advanceTimersByTime(1_000);
    await sleep(20); // a pass is answered by the database, in real time
  }
  expect(asked.mock.calls.filter(([{ name }]) => name === "lines_find_desired")).toHaveLength(2);
});

test("a process that stops releases its leases at once, and another one connects without a QR", async () => {
  const first = await aConnectedLine();
  const second = await started(await aProcess());
  await linesOf(first.services).part.stop();
  // The lease is released: the other process need not wait until it expires.
  expect(only(await row()).owner).not.toBe(linesOf(first.services).supervisor.owner);
  await untilRow(({ owner, status }) => owner === linesOf(second.services).supervisor.owner && status === "CONNECTED");
});

test("when the owner of a line is killed, another process takes it over (W-05)", async () => {
  const first = await aConnectedLine();
  const second = await started(await aProcess());
  const logins = sim.stats.logins;
  linesOf(first.services).supervisor.crash();

  await untilRow(({ owner }) => owner === linesOf(second.services).supervisor.owner);
  await expect.poll(() => sim.stats.logins).toBe(logins + 1);
  await sim.person("5511988880001").sends(OWNER, "ainda aí?");
  await sim.settled(OWNER);
  expect(received.at(-1)?.app).toBe(second);
});

test("a process whose lease was taken over cannot write any more", async () => {
  const app = only(apps[0]);
  await acquireLeases(app.db, "the new owner", [connectionId]);
  const host = createDriverHost({
    services: app.services,
    companyId,
    connectionId,
    round: 0,
    owner: "the old owner",
    ingest: async () => undefined,
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => undefined,
  });
  const write = host.commit([{ kind: "keys", writes: [{ type: "session", id: "x", value: "{}" }] }]);
  await expect(write).rejects.toThrow(LeaseLostError);
  expect(await host.loadKeys("session", ["x"])).toEqual(new Map());
});

test("log entries of a line whose connection was deleted are dropped", async () => {
  const app = only(apps[0]);
  await acquireLeases(app.db, "the owner", [connectionId]);
  const lost = Promise.withResolvers<void>();
  const host = createDriverHost({
    services: app.services,
    companyId,
    connectionId,
    round: 0,
    owner: "the owner",
    ingest: async () => undefined,
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => lost.resolve(),
  });
  await inCompany(({ db }) => db.deleteFrom("connections").where("id", "=", connectionId).execute());
  host.onNote("closed");
  await lost.promise;
  await host.flushed();
});

test("a poison message does not stop its line: a person sees that there was one", async () => {
  const app = await aConnectedLine();
  const taken: string[] = [];
  linesOf(app.services).setIngest(async (_ctx, _connectionId, events) => {
    for (const event of events) {
      const content = event.type === "message" ? event.message.content : null;
      if (content?.kind === "text" && content.text === "veneno") {
        throw new TypeError("a mistake in the code");
      }
      taken.push(content?.kind === "text" ? content.text : (content?.kind ?? event.type));
    }
  });
  await sim.person("5511988880001").sends(OWNER, "veneno");
  await sim.person("5511988880002").sends(OWNER, "depois");
  await sim.settled(OWNER, { timeoutMs: 15_000 });
  expect(taken).toEqual(expect.arrayContaining(["unsupported", "depois"]));
});

test("stopping a connection unlinks its device and forgets its credentials (W-04)", async () => {
  const app = await aConnectedLine();
  await inCompany((ctx) => stopConnection(ctx, connectionId));
  await linesOf(app.services).supervisor.reconcile();

  expect(await untilRow(({ owner }) => owner === null)).toMatchObject({ status: "DISCONNECTED", reason: "stopped" });
  expect(phone.devices()).toEqual([]);
  const left = await inCompany(async ({ db }) => db.selectFrom("wa_creds").select("connection_id").execute());
  expect(left).toEqual([]);
});

test("a new QR is asked for: the old device is unlinked, and another scan connects (W-04)", async () => {
  const app = await aConnectedLine();
  await inCompany((ctx) => renewConnection(ctx, connectionId));
  await linesOf(app.services).supervisor.reconcile();
  const { qrcode } = await untilRow(({ qrcode }) => qrcode !== "");
  expect(phone.devices()).toEqual([]);

  await phone.scan(qrcode);
  await untilRow(({ status }) => status === "CONNECTED");
  expect(phone.devices()).toHaveLength(1);
});

test("while a line is unlinked, for as long as that takes, the others are opened (W-03, W-04)", async () => {
  const app = await aConnectedLine();
  const { supervisor } = linesOf(app.services);
  const line = only(supervisor.find(connectionId));
  const [unlink, phoneAnswers] = [line.logout.bind(line), Promise.withResolvers<void>()];
  line.logout = () => phoneAnswers.promise.then(unlink);
  await inCompany((ctx) => renewConnection(ctx, connectionId));
  void supervisor.reconcile();
  await expect.poll(() => supervisor.find(connectionId)).toBeUndefined();

  const { rows } = await sql<{ id: number }>`
    insert into connections (company_id, name) values (${companyId}, 'Filial') returning id`.execute(app.db.system);
  const qrOfOther = async () => {
    const found = await sql<{ qrcode: string }>`
      select qrcode from connections where id = ${only(rows[0]).id}`.execute(app.db.system);
    return only(found.rows[0]).qrcode;
  };
  await expect.poll(qrOfOther).not.toBe("");
  expect(await row()).toMatchObject({ qrcode: "", owner: supervisor.owner });

  phoneAnswers.resolve();
  await untilRow(({ qrcode }) => qrcode !== "");
  expect(phone.devices()).toEqual([]);
});

test("a new QR that was requested while no process ran the line is shown later", async () => {
  const first = await aConnectedLine();
  await linesOf(first.services).part.stop();
  await inCompany((ctx) => renewConnection(ctx, connectionId));
  const second = await started(await aProcess());
  await untilRow(({ qrcode }) => qrcode !== "");
  // Nobody has unlinked the device: a person must.
  expect(phone.devices()).toHaveLength(1);
  await expect.poll(logged).toContain("notUnlinked");
  // The QR that follows has no device behind it.
  await linesOf(second.services).part.stop();
  await inCompany((ctx) => renewConnection(ctx, connectionId));
  await started(await aProcess());
  await untilRow(({ qrcode }) => qrcode !== "");
  expect((await logged()).filter((event) => event === "notUnlinked")).toHaveLength(1);
});

describe("a line whose SECRET_KEY is lost (W-05)", () => {
  /** As another key does: the id of the key in each value becomes an unknown one, and back. */
  const changeKeyIds = (table: "wa_creds" | "wa_keys") =>
    inCompany(({ db }) =>
      sql`update ${sql.table(table)} set value = set_byte(value, 1, 255 - get_byte(value, 1))`.execute(db),
    );
  const restarted = async (app: TestApp, before: () => Promise<unknown>) => {
    await linesOf(app.services).part.stop();
    await before();
    return started(await aProcess());
  };
  const isLost = ({ status, reason }: { status: string; reason: string | null }) =>
    status === "DISCONNECTED" && reason === "lostSecret";

  test("says so once, and connects by itself where the key is known again", async () => {
    const second = await restarted(await aConnectedLine(), () => changeKeyIds("wa_creds"));
    const { owner } = await untilRow(isLost);
    expect(owner).not.toBeNull();
    await linesOf(second.services).supervisor.reconcile();
    expect((await logged()).filter((event) => event === "stopped")).toHaveLength(1);

    await restarted(second, () => changeKeyIds("wa_creds"));
    await untilRow(({ status }) => status === "CONNECTED");
    expect(phone.devices()).toHaveLength(1);
  });

  test("gets a new QR, and says that its device was not unlinked", async () => {
    const second = await restarted(await aConnectedLine(), () => changeKeyIds("wa_creds"));
    await untilRow(isLost);
    await inCompany((ctx) => renewConnection(ctx, connectionId));
    await linesOf(second.services).supervisor.reconcile();
    const { qrcode } = await untilRow((found) => found.qrcode !== "");
    expect(await logged()).toContain("notUnlinked");
    await phone.scan(qrcode);
    await untilRow(({ status }) => status === "CONNECTED");
  });

  test("stops at a key that cannot be opened, and loses no message by it", async () => {
    const first = await aConnectedLine();
    const ana = sim.person("5511988880001", { name: "Ana" });
    await ana.sends(OWNER, "primeira");
    await sim.settled(OWNER);
    received.splice(0);

    const second = await restarted(first, () => changeKeyIds("wa_keys"));
    await ana.sends(OWNER, "segunda");
    await untilRow(isLost);
    await restarted(second, () => changeKeyIds("wa_keys"));
    await untilRow(({ status }) => status === "CONNECTED");
    await sim.settled(OWNER);
    const messages = received.flatMap(({ events }) => events.filter(({ type }) => type === "message"));
    expect(messages).toMatchObject([{ message: { content: { kind: "text", text: "segunda" } } }]);
  });

  test("is said once, however many keys are asked for", async () => {
    const second = await restarted(await aConnectedLine(), () => changeKeyIds("wa_keys"));
    const people = ["5511988880001", "5511988880002", "5511988880003"].map((number) => sim.person(number));
    await Promise.all(people.map((person) => person.sends(OWNER, "oi")));
    await untilRow(isLost);
    await linesOf(second.services).part.stop();
    expect((await logged()).filter((event) => event === "stopped")).toHaveLength(1);
  });
});

test.each([
  // The last byte of what was sealed, under a key that is known.
  ["damaged", sql`set_byte(value, length(value) - 1, 255 - get_byte(value, length(value) - 1))`],
  ["cut off", sql`substr(value, 1, 5)`],
])(
  "a %s key of one contact counts as absent: the line goes on, and the contact sends the message again (W-05)",
  async (_, damaged) => {
    const first = await aConnectedLine();
    const ana = sim.person("5511988880001", { name: "Ana" });
    await ana.sends(OWNER, "primeira");
    await sim.settled(OWNER);
    await linesOf(first.services).part.stop();
    received.splice(0);

    await inCompany(({ db }) => sql`update wa_keys set value = ${damaged} where kind = 'session'`.execute(db));
    await started(await aProcess());
    await ana.sends(OWNER, "segunda");
    await sim.person("5511988880002").sends(OWNER, "de outra pessoa");
    await sim.settled(OWNER);
    const texts = () =>
      received.flatMap(({ events }) =>
        events.flatMap((event) =>
          event.type === "message" && event.message.content.kind === "text" ? [event.message.content.text] : [],
        ),
      );
    await expect.poll(() => texts().toSorted()).toEqual(["de outra pessoa", "segunda"]);
    expect(await row()).toMatchObject({ status: "CONNECTED", reason: null });
  },
);

test("logged out on the phone: it says so, and 'try again' shows a QR (W-05)", async () => {
  const app = await aConnectedLine();
  phone.unlink();
  await untilRow(({ status, reason, owner }) => status === "DISCONNECTED" && reason === "loggedOut" && owner === null);

  await inCompany((ctx) => startConnection(ctx, connectionId));
  await linesOf(app.services).supervisor.reconcile();
  await untilRow(({ qrcode }) => qrcode !== "");
});

test("a company that is switched off releases its lines; switched on again they connect without a QR (W-05)", async () => {
  const app = await aConnectedLine();
  const { supervisor, find } = linesOf(app.services);
  const set = (isActive: boolean) =>
    app.db.system.updateTable("companies").set({ is_active: isActive }).where("id", "=", companyId).execute();

  await set(false);
  await supervisor.reconcile();
  expect(find(connectionId)).toBeUndefined();
  expect(await row()).toMatchObject({ status: "OPENING", reason: null, owner: null });
  expect(phone.devices()).toHaveLength(1);
  await supervisor.reconcile();
  expect(find(connectionId)).toBeUndefined();

  await set(true);
  await supervisor.reconcile();
  await untilRow(({ owner, status }) => owner === supervisor.owner && status === "CONNECTED");
  expect(phone.devices()).toHaveLength(1);
});

test("the line's log has its connects and disconnects", async () => {
  await aConnectedLine();
  phone.kick("drop");
  const eventsOf = async () => {
    const notes = await inCompany(async ({ db }) => db.selectFrom("line_log").select("event").orderBy("id").execute());
    return notes.map(({ event }) => event);
  };
  await expect.poll(eventsOf).toEqual(["closed", "connected", "closed", "connected"]);
});

test("an RPC reaches the line in whatever process it runs", async () => {
  const first = await aConnectedLine();
  await first.product.jobs?.start();
  const second = await aProcess();
  const ana = sim.person("5511988880001", { name: "Ana" });
  const actor = { kind: "system", companyId, reason: "test" } as const;

  for (const app of [first, second]) {
    expect(
      await linesOf(app.services).call(actor, connectionId, "checkNumbers", [ana.number, "5511900000000"]),
    ).toEqual([[ana.number, { phone: ana.number, lid: ana.lid }]]);
  }
  await expect(linesOf(second.services).call(actor, connectionId + 1, "groupSubject", "1", 200)).rejects.toMatchObject({
    reason: "timeout",
  });
});
