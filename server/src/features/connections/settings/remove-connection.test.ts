import { connections, settings, tickets, users } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements, detachRows } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MESSAGES = 1_200;

/** As if a process still unlinked the device of this line: the job that erases it waits. */
async function heldLease(company: TestCompany, id: number): Promise<void> {
  await sql`insert into line_leases (connection_id, company_id, owner, leased_until)
    values (${id}, ${company.id}, 'somebody', now() + interval '1 minute')`.execute(app.db.system);
}

/** A line with a conversation of many messages. */
async function aBusyLine(company: TestCompany, name: string): Promise<number> {
  const { id } = await aConnection(company, { name });
  const contact = await aContact(company);
  await app.database.inCompany(company.id, async ({ db }) => {
    await sql`with ticket as (
        insert into tickets (company_id, connection_id, contact_id) values (${company.id}, ${id}, ${contact.id}) returning id)
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, ack, sent_at)
      select ${company.id}, id, ${contact.id}, ${id}, 'wa' || n, false, 2, now() from ticket, generate_series(1, ${MESSAGES}) n`.execute(
      db,
    );
  });
  return id;
}

async function left(company: TestCompany, id: number) {
  const { rows } = await app.database.inCompany(company.id, async ({ db }) =>
    sql<{ messages: number; named: number; tickets: number }>`select
      (select count(*) from messages) as messages, (select count(*) from messages where connection_id = ${id}) as named,
      (select count(*) from tickets where connection_id = ${id}) as tickets`.execute(db),
  );
  return rows[0];
}

const rowOf = (id: number) =>
  app.db.system
    .selectFrom("connections")
    .select(["wanted", "token_hash", "is_default"])
    .where("id", "=", id)
    .executeTakeFirst();

test("a line with a long history is gone at once, and a job detaches its history in small transactions (W-01)", async () => {
  const company = await aCompany(app, { limit: 1 });
  const admin = app.as(company.admin);
  const id = await aBusyLine(company, "Loja");
  await admin.call(connections.update, { params: { id }, body: { token: "a-token-that-is-freed" } });

  expect((await admin.call(connections.remove, { params: { id } })).status).toBe(200);
  expect((await admin.call(connections.list)).body).toEqual([]);
  for (const endpoint of [connections.get, connections.start, connections.renew, connections.remove, connections.log]) {
    expect((await admin.call(endpoint, { params: { id }, body: {} })).status).toBe(404);
  }
  expect(await left(company, id)).toEqual({ messages: MESSAGES, named: MESSAGES, tickets: 1 });
  expect(await rowOf(id)).toEqual({ wanted: "down", token_hash: null, is_default: false });

  // Its name, its token and its place in the plan are free, and the next one is the default.
  const body = { name: "Loja", provider: "simulator" as const, token: "a-token-that-is-freed" };
  const next = await admin.call(connections.create, { body });
  expect([next.status, next.body]).toMatchObject([200, { isDefault: true }]);

  await app.settle();
  expect(await left(company, id)).toEqual({ messages: MESSAGES, named: 0, tickets: 0 });
  expect(await rowOf(id)).toBeUndefined();
  expect((await admin.call(connections.list)).body.map(({ name }) => name)).toEqual(["Loja"]);
});

test("a line that still has an owner keeps its credentials until its device is unlinked (W-04)", async () => {
  const company = await aCompany(app);
  const { id } = await aConnection(company);
  await heldLease(company, id);
  await app.as(company.admin).call(connections.remove, { params: { id } });
  await app.settle();
  expect(await rowOf(id)).toMatchObject({ wanted: "down" });

  await sql`delete from line_leases where connection_id = ${id}`.execute(app.db.system);
  await sql`update jobs set run_at = now() - interval '1 s' where task = 'connections.erase'`.execute(app.db.system);
  await app.settle();
  expect(await rowOf(id)).toBeUndefined();
});

describe("while a deleted line is still being unlinked", () => {
  test("its conversations are accepted, transferred and resolved, without a notice to the customer (W-01, T-14, Q-09)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const colleague = await aUser(company);
    for (const key of ["sendGreetingAccepted", "sendMsgTransfTicket", "userRating"] as const) {
      await admin.call(settings.save, { params: { key }, body: { value: "enabled" } });
    }
    const { id } = await aConnection(company, { complationMessage: "Até logo" });
    const { id: contactId } = await aContact(company);
    const body = { contactId, whatsappId: id, status: "pending" } as const;
    const { body: ticket } = await admin.call(tickets.create, { body });
    await heldLease(company, id);
    await admin.call(connections.remove, { params: { id } });

    const move = async (change: object) =>
      (await admin.call(tickets.update, { params: { id: ticket.id }, body: change })).status;
    expect(await move({ status: "open", userId: company.admin.userId })).toBe(200);
    expect(await move({ userId: colleague.userId })).toBe(200);
    expect(await move({ status: "closed" })).toBe(200);
    expect(await left(company, id)).toMatchObject({ messages: 0 });
  });

  test("who had it for their own opens conversations by the default one, and their form is saved (W-01, T-16)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const { id: defaultId } = await aConnection(company);
    const { id } = await aConnection(company);
    const queue = await aQueue(company);
    const agent = await aUser(company, { queues: [queue] });
    await admin.call(users.update, { params: { id: agent.userId }, body: { whatsappId: id } });
    const { id: contactId } = await aContact(company);
    await heldLease(company, id);
    await admin.call(connections.remove, { params: { id } });

    const body = { contactId, queueId: queue.id, status: "open" } as const;
    const made = await app.as(agent).call(tickets.create, { body });
    expect([made.status, made.body]).toMatchObject([200, { whatsappId: defaultId }]);
    const { body: form } = await admin.call(users.get, { params: { id: agent.userId } });
    expect(form).toMatchObject({ whatsappId: null });
  });

  test("its conversations give it up before the job waits for its owner (W-01)", async () => {
    const company = await aCompany(app);
    const id = await aBusyLine(company, "Loja");
    await heldLease(company, id);
    await app.as(company.admin).call(connections.remove, { params: { id } });
    await app.settle();
    expect(await left(company, id)).toEqual({ messages: MESSAGES, named: MESSAGES, tickets: 0 });
  });
});

test("a line is deleted although another is named after it, with its number behind (W-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const { id } = await aConnection(company, { name: "Loja" });
  await aConnection(company, { name: `Loja #${id}` });
  expect((await admin.call(connections.remove, { params: { id } })).status).toBe(200);

  const { id: again } = await aConnection(company, { name: "Loja" });
  expect((await admin.call(connections.remove, { params: { id: again } })).status).toBe(200);
});

test("what refers to it is looked for once for many transactions: no index has the line of a campaign's contacts (W-01, P-02)", async () => {
  const company = await aCompany(app);
  const { id } = await aConnection(company);
  await company.inside(({ db }) =>
    sql`with campaign as (insert into campaigns (company_id, name) values (${company.id}, 'Ofertas') returning id)
      insert into campaign_recipients (company_id, campaign_id, connection_id, position, name, number, match_number, state)
      select ${company.id}, id, ${id}, n, 'c' || n, n, n, 'delivered' from campaign, generate_series(1, 450) n`.execute(
      db,
    ),
  );
  const row = { table: "connections", id, from: ["campaign_recipients"] };
  const { signal } = new AbortController();
  const { statements } = await countStatements(() =>
    detachRows(app.db, { ...row, batch: 100, signal, inCompany: company.inside }),
  );
  const of = (verb: string) => statements.filter((text) => text.startsWith(`${verb} `) && text.includes("campaign_"));
  expect([of("select").length, of("update").length]).toEqual([1, 5]);
  const { rows } = await company.inside(({ db }) =>
    sql`select from campaign_recipients where connection_id is not null`.execute(db),
  );
  expect(rows).toEqual([]);
});

test("a user whose line is deleted keeps the account (W-01)", async () => {
  const company = await aCompany(app);
  const { id } = await aConnection(company);
  const agent = await aUser(company);
  await app.database.inCompany(company.id, ({ db }) =>
    db.updateTable("users").set({ connection_id: id }).where("id", "=", agent.userId).execute(),
  );
  await app.as(company.admin).call(connections.remove, { params: { id } });
  await app.settle();
  expect(await rowOf(id)).toBeUndefined();
  expect((await app.as(agent).call(connections.list)).status).toBe(200);
});
