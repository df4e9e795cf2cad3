import { firstStepsCalls, invitations, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";
import { touchedBy } from "#server/testing/touched-rows.ts";

let app: TestApp;
let now = new Date("2026-11-23T15:00:00Z");
beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => now } });
});
afterAll(() => app.close());

async function stepsOf(who: TestUser) {
  const { body } = await app.as(who).call(firstStepsCalls.get);
  return Object.entries(body)
    .filter(([name, isDone]) => isDone && name !== "hasSimulator")
    .map(([name]) => name);
}

async function aMessage(
  company: TestCompany,
  lineId: number,
  fromMe: boolean,
  data: object | null = null,
): Promise<void> {
  const { id: contactId } = await aContact(company);
  const body = { contactId, userId: company.admin.userId, whatsappId: lineId, status: "open" } as const;
  const { body: ticket } = await app.as(company.admin).call(tickets.create, { body });
  await company.inside(({ db }) =>
    sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, data, sent_at)
      values (${company.id}, ${ticket.id}, ${contactId}, ${lineId}, ${`m${ticket.id}`}, ${fromMe}, ${data}, now())`.execute(
      db,
    ),
  );
}

test("each step is done by what there is, whoever made it, and stays done (Z-05)", async () => {
  const busy = await aCompany(app);
  const busyLine = await aConnection(busy, { number: "5511911110000" });
  await aMessage(busy, busyLine.id, false);
  const company = await aCompany(app);
  const { admin } = company;
  expect(await stepsOf(admin)).toEqual([]);

  // neither a line that was never linked nor an own message, nor one of a chat that a phone exported
  const line = await aConnection(company);
  await aMessage(company, line.id, true);
  await aMessage(company, line.id, false, { imported: true });
  expect(await stepsOf(admin)).toEqual([]);

  const linked = await aConnection(company, { number: "5511911112222" });
  expect(await stepsOf(admin)).toEqual(["line"]);
  await aMessage(company, linked.id, false);
  await sql`update connections set number = null where company_id = ${company.id}`.execute(app.db.system);
  expect(await stepsOf(admin)).toEqual(["line", "message"]);

  await app.as(admin).call(invitations.create, { body: { email: "colega@example.com" } });
  expect(await stepsOf(admin)).toEqual(["line", "message", "colleague"]);
  await aQueue(company);
  expect(await stepsOf(admin)).toEqual(["line", "message", "colleague", "queue"]);
});

test("the list says whether a line can be tried without a phone (Z-05)", async () => {
  const { admin } = await aCompany(app);
  const without = await createTestApp({ sameDatabaseAs: app, env: { SIMULATOR: "off" }, closeAfterTest: true });
  expect((await app.as(admin).call(firstStepsCalls.get)).body.hasSimulator).toBe(true);
  expect((await without.as(admin).call(firstStepsCalls.get)).body.hasSimulator).toBe(false);
});

test("a conversation that a phone exported is not read through for a word of a customer (Z-05)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company);
  await aMessage(company, line.id, false, { imported: true });
  await company.inside(({ db }) =>
    sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, data, sent_at)
      select company_id, ticket_id, contact_id, connection_id, 'i' || n, false, data, sent_at - n * interval '1 minute'
      from messages, generate_series(1, 2000) n where company_id = ${company.id}`.execute(db),
  );
  await asOwner(app.database.url, "vacuum analyze messages, tickets");
  const touched = await touchedBy({ url: app.database.url, companyId: company.id }, () => stepsOf(company.admin));
  const looks = touched.filter(({ text }) => text.includes("from messages"));
  expect(looks).toHaveLength(1);
  expect(looks[0]!.read).toBeLessThan(50);
  expect(await stepsOf(company.admin)).toEqual([]);
});

test("the list is hidden for the user for good, and shown again at once (Z-05)", async () => {
  const company = await aCompany(app);
  const other = await aUser(company, { profile: "admin" });
  const hide = (isHidden: boolean) => app.as(company.admin).call(firstStepsCalls.hide, { body: { isHidden } });
  const isHidden = async (who: TestUser) => (await stepsOf(who)).includes("isHidden");

  expect((await hide(true)).body.isHidden).toBe(true);
  expect([await isHidden(company.admin), await isHidden(other)]).toEqual([true, false]);
  const began = now;
  now = new Date(now.getTime() + 3 * 86_400_000);
  expect(await isHidden(company.admin)).toBe(true);
  now = began;
  expect((await hide(false)).body.isHidden).toBe(false);
});

test("is for admins: a stranger gets 401, an agent and a supervisor 403 (Z-05)", async () => {
  const company = await aCompany(app);
  const statuses = await Promise.all(
    [undefined, await aUser(company), await aUser(company, { profile: "supervisor" })].map(async (who) => [
      (await app.as(who).call(firstStepsCalls.get)).status,
      (await app.as(who).call(firstStepsCalls.hide, { body: { isHidden: true } })).status,
    ]),
  );
  expect(statuses).toEqual([
    [401, 401],
    [403, 403],
    [403, 403],
  ]);
});
