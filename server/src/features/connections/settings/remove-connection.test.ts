import { connections } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MESSAGES = 1_200;

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
  await sql`insert into line_leases (connection_id, company_id, owner, leased_until)
    values (${id}, ${company.id}, 'somebody', now() + interval '1 minute')`.execute(app.db.system);
  await app.as(company.admin).call(connections.remove, { params: { id } });
  await app.settle();
  expect(await rowOf(id)).toMatchObject({ wanted: "down" });

  await sql`delete from line_leases where connection_id = ${id}`.execute(app.db.system);
  await sql`update jobs set run_at = now() where task = 'connections.erase'`.execute(app.db.system);
  await app.settle();
  expect(await rowOf(id)).toBeUndefined();
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
