import { audit, contacts, messages, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { messageFrom } from "#server/testing/bot-scenario.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
const clock = createMovedClock("2026-11-28T12:00:00Z");
beforeAll(async () => (app = await createTestApp({ clock })));
afterAll(() => app.close());

type Contact = Awaited<ReturnType<typeof aContact>>;
type Line = Awaited<ReturnType<typeof aConnection>>;
let company: TestCompany;
let admin: TestCaller;
let loja: Line;
let fabrica: Line;
let maria: Contact;
let joao: Contact;
beforeEach(async () => {
  company = await aCompany(app);
  admin = app.as(company.admin);
  [loja, fabrica] = [await aConnection(company), await aConnection(company)];
  [maria, joao] = [
    await aContact(company, { name: "Maria", number: "5511988880001" }),
    await aContact(company, { name: "João", number: "5511988880002" }),
  ];
});

/** The contact writes on a connection; resolves to the id of the conversation that it is stored in. */
async function says({ number }: Contact, { id: connectionId }: Line, text: string): Promise<number> {
  clock.advance({ seconds: 1 });
  const ingest = createIngest({ vault: app.services.vault, contacts: contactResolver });
  await company.inside((ctx) => ingest(ctx, connectionId, [messageFrom(number!, text, clock.now())]));
  await app.settle();
  const { rows } = await company.inside(({ db }) =>
    sql<{ id: number }>`select ticket_id as id from messages where body = ${text}`.execute(db),
  );
  return rows[0]!.id;
}

const ticketOf = (id: number) => admin.call(tickets.get, { params: { id } });
const update = (id: number, body: object) => admin.call(tickets.update, { params: { id }, body });
const serve = (id: number) => update(id, { status: "open" });
const resolve = async (id: number) => {
  await serve(id);
  await update(id, { status: "closed" });
};
const texts = async (ticketId: number) =>
  (await admin.call(messages.list, { params: { ticketId } })).body.messages
    .filter(({ fromMe }) => !fromMe)
    .map(({ body }) => body);
const transfer = (id: number, { id: whatsappId }: Line) => update(id, { whatsappId, userId: company.admin.userId });

/** João is merged into Maria; resolves to what undoes it. */
async function merge() {
  const { body } = await admin.call(contacts.merge, { params: { id: maria.id }, body: { contactId: joao.id } });
  return () => admin.call(contacts.undoMerge, { params: { id: body.id } });
}

test("a merge is undone after a transfer that joined the kept contact's resolved conversation, and no conversation tells of the other person (C-06, T-14)", async () => {
  const before = await says(maria, fabrica, "antes");
  await resolve(before);
  const hers = await says(maria, loja, "agora");
  const his = await says(joao, loja, "sou o João");
  const undo = await merge();
  expect((await transfer(hers, fabrica)).status).toBe(200);
  expect((await ticketOf(before)).status).toBe(404);

  expect((await undo()).status).toBe(200);
  expect((await ticketOf(before)).status).toBe(404);
  expect((await ticketOf(hers)).body).toMatchObject({
    contact: { id: maria.id },
    whatsappId: fabrica.id,
    lastMessage: "agora",
  });
  expect(await texts(hers)).toEqual(["antes", "agora"]);
  expect((await ticketOf(his)).body).toMatchObject({
    contact: { id: joao.id },
    whatsappId: loja.id,
    status: "pending",
  });
  expect(await texts(his)).toEqual(["sou o João"]);
});

test("a merge and its undo, each by whoever did it, are in the audit log once (C-06, V-01)", async () => {
  const undo = await merge();
  expect((await undo()).status).toBe(200);
  expect((await undo()).status).toBe(409);
  const about = { targetType: "contact", targetId: String(maria.id) } as const;
  const target = { ...about, userId: company.admin.userId };
  expect((await admin.call(audit.list, { query: about })).body.records).toMatchObject([
    { action: "contact.merge-undone", ...target, details: { restoredId: joao.id } },
    { action: "contact.merged", ...target, details: { goneId: joao.id } },
  ]);
});

test("the other person's resolved conversation that a transfer joined comes back with the undo (C-06, T-14)", async () => {
  const hers = await says(maria, loja, "agora");
  const his = await says(joao, fabrica, "sou o João");
  await resolve(his);
  const undo = await merge();
  expect((await transfer(hers, fabrica)).status).toBe(200);
  expect(await texts(hers)).toHaveLength(2);

  expect((await undo()).status).toBe(200);
  expect(await texts(his)).toEqual(["sou o João"]);
  expect((await ticketOf(hers)).body).toMatchObject({ contact: { id: maria.id }, lastMessage: "agora" });
  expect(await texts(hers)).toEqual(["agora"]);
});

test("a merge is not undone once a transfer joined the kept contact's conversation to one that would go back to the other (C-06, T-14)", async () => {
  const hers = await says(maria, loja, "só meu");
  await resolve(hers);
  const his = await says(joao, fabrica, "sou o João");
  const undo = await merge();
  expect((await transfer(his, loja)).status).toBe(200);

  const refused = await undo();
  expect([refused.status, refused.body]).toMatchObject([409, { error: "ERR_UNDO_TOO_LATE" }]);
  expect((await ticketOf(his)).body).toMatchObject({ contact: { id: maria.id } });
  expect(await texts(his)).toEqual(["só meu", "sou o João"]);
});

test("the conversation of one who is not blocked waits again after the undo of a merge with one who is, also where they wrote meanwhile (C-06)", async () => {
  await admin.call(contacts.block, { params: { id: maria.id }, body: { blocked: true } });
  const his = await says(joao, loja, "sou o João");
  const undo = await merge();
  expect((await ticketOf(his)).body).toMatchObject({ status: "closed", contact: { id: maria.id } });
  await says(joao, loja, "alô?");
  expect((await ticketOf(his)).body).toMatchObject({ status: "closed" });

  expect((await undo()).status).toBe(200);
  expect((await ticketOf(his)).body).toMatchObject({ status: "pending", contact: { id: joao.id } });
  expect((await admin.call(contacts.get, { params: { id: maria.id } })).body.isBlocked).toBe(true);
});
