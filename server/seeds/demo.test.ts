import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  BodyIn,
  botPreview,
  campaigns,
  Chat,
  Connection,
  contactLists,
  kanban,
  Message,
  ResponseOf,
  Ticket,
} from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { prepareDemo } from "#server/app/demo.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { linesOf } from "#server/features/connections/index.ts";
import { findCompanies } from "#server/features/companies/index.ts";
import { demoPassword, seedDemo } from "./demo.ts";

/** The one company of the demo that owes. */
const debtor = "Padaria Girassol";
let seeded: TestApp;
let signIns: Awaited<ReturnType<typeof prepareDemo>>;
beforeAll(async () => {
  seeded = await createTestApp();
  signIns = await prepareDemo(seeded.services);
});
afterAll(() => seeded.close());

/** Throws after some of the conversations: like after a kill, what was seeded before is committed. */
function failAfter(conversations: number): () => Promise<void> {
  let left = conversations;
  return async () => {
    left -= 1;
    if (left < 0) {
      throw new Error("killed");
    }
  };
}

async function countsOf(app: TestApp): Promise<Record<string, number>> {
  const [{ id } = { id: 0 }] = await app.db.systemTx(findCompanies);
  return app.database.inCompany(id, async ({ db }) => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from tickets) as tickets, (select count(*)::int from contacts) as contacts,
        (select count(*)::int from messages) as messages, (select count(*)::int from queue_options) as options`.execute(
      db,
    );
    return rows[0]!;
  });
}

test("a demo whose seeding was killed is seeded again, with the same result; two processes seed it once", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  await expect(seedDemo(app.services, failAfter(12))).rejects.toThrow("killed");
  const [half] = await app.db.systemTx(findCompanies);
  const both = await Promise.all([prepareDemo(app.services), prepareDemo(app.services)]);

  expect(both).toEqual([signIns, signIns]);
  const companies = await app.db.systemTx(findCompanies);
  expect(companies.map(({ name }) => name)).toEqual(["Loja Aurora", debtor, "Prosa"]);
  const left = await readdir(join(app.services.config.dataDir, "files", "company", String(half?.id), "messages"));
  expect(left).toEqual([]);
  expect(await countsOf(app)).toEqual(await countsOf(seeded));
});

test("the bot leads the first customer who writes to the demo down to a file", async () => {
  const { body } = await seeded
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "admin@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  const { body: lines } = await seeded.as(undefined).get<Connection[]>("/whatsapp", bearer);
  let state: Played["state"] = null;
  const said: string[] = [];
  for (const text of ["oi", "1", "1", "1"]) {
    const turn: Turn = { connectionId: lines[0]?.id, state, text };
    const played: Played = (await seeded.as(undefined).post<Played>("/bot/preview", turn, bearer)).body;
    state = played.state;
    said.push(...played.messages.flatMap((message) => [message.text, message.mediaName ?? ""]));
  }
  expect(said[0]).toContain("*[ 1 ]* - Vendas");
  expect(said.join("\n")).toContain("Preços e pagamento");
  expect(said.at(-1)).toBe("Catalogo Aurora.pdf");
});

test("the demo is due a year ahead, a start renews it, and a demo of before without a due date gets none (Z-05)", async () => {
  const dueDates = async () => {
    const rows = await seeded.db.systemTx((tx) =>
      tx.db.selectFrom("companies").select("due_date").where("name", "<>", debtor).execute(),
    );
    return rows.map(({ due_date: dueDate }) => dueDate);
  };
  const save = (dueDate: string | null) =>
    seeded.db.systemTx((tx) =>
      tx.db.updateTable("companies").set({ due_date: dueDate }).where("name", "<>", debtor).execute(),
    );
  const inAYear = await dueDates();
  expect(inAYear).toEqual([expect.stringMatching(`^${new Date().getFullYear() + 1}-`), inAYear[0]]);

  for (const [found, left] of [
    ["2020-01-31", inAYear[0]],
    ["2099-12-31", "2099-12-31"],
    [null, null],
  ] as const) {
    await save(found);
    await prepareDemo(seeded.services);
    expect(await dueDates()).toEqual([left, left]);
  }
  await save(inAYear[0] ?? null);
});

type Turn = BodyIn<typeof botPreview.turn>;
type Played = ResponseOf<typeof botPreview.turn>;

interface SignedIn {
  readonly token: string;
}

test("the demo has internal chats, and a user who has not read one has unread messages (O-06, S-06)", async () => {
  const { body } = await seeded
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "agente1@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  const chats = await seeded.as(undefined).get<{ records: Chat[] }>("/chats", bearer);
  const unread = chats.body.records.map(({ title, users }) => [
    title,
    users.find(({ user }) => user.name === "Paula Ribeiro")?.unreads,
  ]);
  expect(unread).toEqual([
    ["Trocas e devoluções", 2],
    ["Escala de sábado", 0],
  ]);
});

test("a newcomer finds cards in every lane of the demo's board, in the order of a sale (O-02)", async () => {
  const { body } = await seeded
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "admin@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  await seeded.settle();
  const caller = seeded.as(undefined);
  const { body: board } = await caller.get<{ lista: { id: number; name: string }[] }>("/tags/kanban", bearer);
  const { body: counts } = await caller.get<ResponseOf<typeof kanban.counts>>("/ticket/kanban/counts", bearer);
  const cards = (laneId: number) => counts.lanes.find((lane) => lane.laneId === laneId)?.count;
  expect(board.lista.map(({ id, name }) => [name, cards(id)])).toEqual([
    ["Orçamento", 2],
    ["Negociação", 1],
    ["Aguardando pagamento", 2],
    ["Pós-venda", 2],
  ]);
  expect(cards(0)).toBe(7);
});

test("the demo is seeded once, and shows every kind of message and every state", async () => {
  const app = seeded;
  expect(signIns.map(({ email }) => email)).toContain("agente1@prosa.demo");
  await app.settle();

  expect(await prepareDemo(app.services)).toEqual(signIns);

  for (const { email } of signIns) {
    const answer = await app.as(undefined).post<SignedIn>("/auth/login", { email, password: demoPassword });
    expect([email, answer.status]).toEqual([email, 200]);
  }
  const { body } = await app
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "admin@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  const list = async (status: string) => {
    const answer = await app
      .as(undefined)
      .get<{ tickets: Ticket[]; count: number }>(`/tickets?status=${status}&showAll=true`, bearer);
    return answer.body.tickets;
  };
  const [open, pending, closed] = [await list("open"), await list("pending"), await list("closed")];
  expect([open.length, pending.length, closed.length]).toEqual([6, 8, 13]);
  expect(pending.filter(({ unreadMessages }) => unreadMessages > 0)).toHaveLength(7);
  expect(closed.filter(({ unreadMessages, user }) => unreadMessages > 0 && user !== null)).toEqual([]);
  expect(open.every(({ user, queue }) => user !== null && queue !== null)).toBe(true);
  expect([...open, ...pending, ...closed].some(({ isGroup }) => isGroup)).toBe(true);
  expect(open.find(({ contact }) => contact.name.startsWith("Mariana"))?.tags).toMatchObject([
    { name: "Aguardando pagamento" },
    { name: "Cliente VIP" },
  ]);
  expect(Date.parse(closed.at(-1)?.lastMessageAt ?? "")).toBeLessThan(Date.now() - 15 * 24 * 3_600_000);

  const messages: Message[] = [];
  for (const { id } of [...open, ...pending, ...closed]) {
    const page = await app.as(undefined).get<{ messages: Message[] }>(`/messages/${id}?peek=true`, bearer);
    expect(page.status).toBe(200);
    messages.push(...page.body.messages);
  }
  const kinds = new Set(messages.map(({ mediaType }) => mediaType));
  for (const kind of [
    "chat",
    "image",
    "audio",
    "application",
    "sticker",
    "locationMessage",
    "vcard",
    "call_log",
  ] as const) {
    expect(kinds).toContain(kind);
  }
  expect(new Set(messages.filter(({ fromMe }) => fromMe).map(({ ack }) => ack))).toEqual(new Set([-1, 1, 2, 4]));
  expect(messages.some(({ isDeleted }) => isDeleted)).toBe(true);
  expect(messages.some(({ isEdited }) => isEdited)).toBe(true);
  expect(messages.some(({ quotedMsg }) => quotedMsg !== null)).toBe(true);
  expect(messages.some(({ reactions }) => reactions.length > 0)).toBe(true);
  const files = messages.filter(({ media }) => media !== null);
  expect(files.every(({ media }) => media?.state === "ready")).toBe(true);
  const shown = await app.as(undefined).get(files[0]?.mediaUrl ?? "");
  expect(shown.status).toBe(200);
});

test("the demo has a contact list, a campaign that begins by itself and another one in three days (K-01, K-03)", async () => {
  const { body } = await seeded
    .as(undefined)
    .post<SignedIn>("/auth/login", { email: "admin@prosa.demo", password: demoPassword });
  const bearer = { authorization: `Bearer ${body.token}` };
  const get = async <T>(path: string) => (await seeded.as(undefined).get<T>(path, bearer)).body;
  const { records } = await get<ResponseOf<typeof campaigns.list>>("/campaigns");
  expect(records.map(({ name, status, contactList }) => [name, status, contactList?.name])).toEqual([
    ["Coleção de verão", "PROGRAMADA", "Clientes do clube Aurora"],
    ["Boas-vindas ao clube", "PROGRAMADA", "Clientes do clube Aurora"],
  ]);
  const [later, soon] = records.map(({ scheduledAt }) => Date.parse(scheduledAt ?? "") - Date.now());
  expect([soon! < 90_000, later! > 2 * 86_400_000]).toEqual([true, true]);
  const lists = await get<ResponseOf<typeof contactLists.list>>("/contact-lists");
  expect(lists.records).toMatchObject([{ contactsCount: 7 }]);
});

test("a demo whose line was not scanned before the server died is scanned after the restart", async () => {
  // Seeded by a process that runs no lines and scans no QR, like one that was killed before it scanned.
  const before = await createTestApp({ closeAfterTest: true, env: { ROLES: "http" } });
  await prepareDemo(before.services);
  const after = await createTestApp({ sameDatabaseAs: before, env: { DATA_DIR: before.services.config.dataDir } });
  const { part } = linesOf(after.services);
  onTestFinished(async () => {
    await part.stop();
    await after.close();
  });
  await prepareDemo(after.services);
  await part.start();
  const statusOf = async () => {
    const { rows } = await sql<{ status: string }>`select status from connections`.execute(after.db.system);
    return rows.map(({ status }) => status);
  };
  await expect.poll(statusOf, { interval: 200 }).toEqual(["CONNECTED"]);
});

test("scripted customers are off after a start with DEMO_PEOPLE=off, and the phone screen shows it", async () => {
  const before = await createTestApp({ closeAfterTest: true });
  await prepareDemo(before.services);
  const hasScriptedCustomers = async () => {
    const { rows } = await sql<{
      hasScriptedCustomers: boolean;
    }>`select is_lively as "hasScriptedCustomers" from connections`.execute(before.db.system);
    return rows[0]?.hasScriptedCustomers;
  };
  expect(await hasScriptedCustomers()).toBe(true);

  const after = await createTestApp({ sameDatabaseAs: before, env: { DEMO_PEOPLE: "off" } });
  onTestFinished(() => after.close());
  expect(await prepareDemo(after.services)).toEqual(signIns);
  expect(await hasScriptedCustomers()).toBe(false);
});

test("the shop has paid for its past years, and the invoice of the coming one is open; that of another company is overdue (F-01)", async () => {
  const [company, other] = await seeded.db.systemTx(findCompanies);
  const invoicesOf = (id: number) =>
    seeded.database.inCompany(id, ({ db }) =>
      db
        .selectFrom("invoices as i")
        .innerJoin("companies as c", "c.id", "i.company_id")
        .select(["i.status", "i.paid_by", sql<boolean>`i.due_date = c.due_date`.as("isDue")])
        .orderBy("i.due_date")
        .execute(),
    );
  expect([other!.name, await invoicesOf(other!.id)]).toEqual([
    debtor,
    [{ status: "open", paid_by: null, isDue: true }],
  ]);
  const rows = await invoicesOf(company!.id);
  expect(rows).toEqual([
    { status: "paid", paid_by: "manual", isDue: false },
    { status: "paid", paid_by: "manual", isDue: false },
    { status: "open", paid_by: null, isDue: true },
  ]);
});
