import { audit, companies, invoices } from "@prosa/contract";
import type { Invoice } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { createRenewedSessions } from "#server/testing/renewed-sessions.ts";

/** What a payment brings, and what its taking back takes: periods of companies of São Paulo, over years. */

const clock = createMovedClock("2028-03-01T15:00:00Z");
let app: TestApp;
let home: TestCompany;
beforeAll(async () => {
  app = await createTestApp({ clock });
  home = await aCompany(app, { isOperator: true, name: "Operadora" });
  // A cron runs at its first slot after it was registered.
  await app.settle();
});
afterAll(() => app.close());

async function later(by: Parameters<typeof clock.advance>[0]): Promise<void> {
  clock.advance(by);
  await app.settle();
}

const { sessionOf, as } = createRenewedSessions(() => app, clock);
const enter = async (email: string) => app.as(undefined).post("/auth/login", { email, password: testPassword });

async function invoicesOf(company: TestCompany): Promise<Invoice[]> {
  return (await (await as(company.admin)).call(invoices.list, { query: {} })).body.invoices;
}
const dueDateOf = async ({ id }: TestCompany) =>
  (await (await as(home.admin)).call(companies.get, { params: { id } })).body.dueDate;

/** The operator marks the company's open invoice as paid; the day until when it has paid. */
async function payFor(company: TestCompany, note = "TED"): Promise<string | null> {
  const open = (await invoicesOf(company)).find(({ status }) => status === "open");
  const params = { id: open!.id };
  const paid = await (await as(home.admin)).call(invoices.markPaid, { params, body: { note } });
  return paid.body.paidUntil;
}

/** The operator takes a mark of the company's newest invoice back; which: the one that stands, unless it is named. */
async function takeBack(company: TestCompany, markId?: number) {
  const [bill] = await invoicesOf(company);
  const query = { markId: markId ?? bill!.markId! };
  return (await as(home.admin)).call(invoices.takeBack, { params: { id: bill!.id }, query });
}

test("days of grace are served on credit: a period within them is paid as itself, and days without service are not paid for (A-03, F-04)", async () => {
  clock.set("2028-03-01T15:00:00Z");
  const graced = { provider: "static", pixKey: "pix@example.com", graceDays: 60 } as const;
  await (await as(home.admin)).call(invoices.saveSettings, { body: graced });
  // served for 50 days since; and closed for 90 of 150 days
  const [served, closed] = await Promise.all([
    aCompany(app, { dueDate: "2028-01-11" }),
    aCompany(app, { dueDate: "2027-10-03" }),
  ]);
  const agent = await aUser(closed);
  await later({ minutes: 10 });
  expect([await payFor(served), (await enter(agent.email)).status]).toEqual(["2028-02-11", 403]);
  await later({ minutes: 10 });
  expect(await payFor(served)).toBe("2028-03-11");

  // a month from today with the days of grace, which it has had before
  expect([await payFor(closed), (await enter(agent.email)).status]).toEqual(["2028-02-01", 200]);
  clock.set("2028-04-01T15:00:00Z");
  expect((await enter(agent.email)).status).toBe(200);
  clock.set("2028-04-02T15:00:00Z");
  expect((await enter(agent.email)).status).toBe(403);
  await (await as(home.admin)).call(invoices.saveSettings, { body: { ...graced, graceDays: 0 } });
});

test("a due date at a month's end stays there: no shorter month takes paid days away (F-04, F-05)", async () => {
  clock.set("2029-01-25T15:00:00Z");
  const [paying, free] = await Promise.all([
    aCompany(app, { dueDate: "2029-01-31" }),
    aCompany(app, { dueDate: "2029-01-31" }),
  ]);
  await sql`update plans set value = 0 where id = (select plan_id from companies where id = ${free.id})`.execute(
    app.db.system,
  );
  const paid = [];
  for (const day of ["2029-01-26", "2029-02-25", "2029-03-28"]) {
    clock.set(`${day}T15:00:00Z`);
    await later({ minutes: 10 });
    paid.push([await payFor(paying), await dueDateOf(free)]);
  }
  expect(paid).toEqual([
    ["2029-02-28", "2029-02-28"],
    ["2029-03-31", "2029-03-31"],
    ["2029-04-30", "2029-04-30"],
  ]);
});

test("the operator takes a mark on the wrong company back, once: the invoice is open again, and the audit log says who did it (F-03, F-04)", async () => {
  clock.set("2030-01-05T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2030-01-10" });
  await later({ minutes: 10 });
  const [bill] = await invoicesOf(company);
  expect([bill!.markId, (await takeBack(company, 1)).status]).toEqual([null, 404]);
  const socket = await app.connect(await sessionOf(home.admin));
  expect(await payFor(company)).toBe("2030-02-10");
  // the operator's list of companies follows the payment (Y-01)
  expect((await socket.next(`company-${home.id}-company`)).payload).toEqual({ action: "changed" });
  socket.close();

  const markId = (await invoicesOf(company))[0]!.markId!;
  const own = { params: { id: bill!.id }, query: { markId } };
  expect((await (await as(company.admin)).call(invoices.takeBack, own)).status).toBe(403);
  const back = await takeBack(company);
  const open = { status: "open", returned: 0, due: 99.9, paidBy: null, markId: null };
  expect([back.status, back.body]).toMatchObject([200, open]);
  expect(await dueDateOf(company)).toBe("2030-01-10");
  const { records } = (await (await as(company.admin)).call(audit.list, {})).body;
  expect(records.slice(0, 2)).toMatchObject([
    { action: "invoice.reopened", actorKind: "operator" },
    { action: "payment.returned", actorKind: "operator", details: { provider: "manual", value: 99.9 } },
  ]);
  // another operator's window still shows the first mark
  expect([await payFor(company), (await takeBack(company, markId)).status]).toEqual(["2030-02-10", 404]);
  expect([await dueDateOf(company), (await takeBack(company)).status]).toEqual(["2030-02-10", 200]);
});

test("a mark that is taken back is in no month's receipts, and can be taken back once where it opens nothing again (F-03, F-04)", async () => {
  clock.set("2030-03-31T15:00:00Z");
  const receivedOf = async () => {
    const { receivedThisMonth, receivedLastMonth } = (await (await as(home.admin)).call(invoices.summary)).body;
    return [receivedLastMonth, receivedThisMonth];
  };
  const company = await aCompany(app, { dueDate: "2030-04-05" });
  await later({ minutes: 10 });
  const [, before] = await receivedOf();
  await payFor(company);
  // so the period that was paid stays
  const moved = { params: { id: company.id }, body: { dueDate: "2030-05-10" } };
  expect((await (await as(home.admin)).call(companies.update, moved)).status).toBe(200);
  clock.set("2030-04-01T15:00:00Z");
  const { markId } = (await invoicesOf(company))[0]!;
  const back = await takeBack(company);
  expect([back.status, back.body]).toMatchObject([200, { status: "paid", paidBy: "manual", markId: null }]);
  expect((await takeBack(company, markId!)).status).toBe(404);
  const received = await receivedOf();
  expect(received).toEqual([before, 0]);
  await sql`delete from companies where id = ${company.id}`.execute(app.db.system);
  expect(await receivedOf()).toEqual(received);
});

test("a receipt stays as it was when it was paid, and a deleted connection uses nothing of the plan (F-01, Y-05)", async () => {
  clock.set("2030-06-05T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2030-06-10" });
  const [owner, operator] = [await as(company.admin), await as(home.admin)];
  const own = { params: { id: company.id } };
  await owner.call(companies.saveAccount, { ...own, body: { billingName: "Ana", addressCity: "Olinda" } });
  await later({ minutes: 10 });
  const [bill] = await invoicesOf(company);
  const receiptOf = async () => (await owner.call(invoices.get, { params: { id: bill!.id } })).body;
  await payFor(company);
  const receipt = await receiptOf();
  expect(receipt.payer).toEqual({ name: "Ana", taxId: "", address: "Olinda" });
  await owner.call(companies.saveAccount, { ...own, body: { billingName: "Bia", addressCity: "Recife" } });
  const receiving = { provider: "static", pixKey: "pix@example.com", pixName: "Outra" } as const;
  await operator.call(invoices.saveSettings, { body: receiving });
  expect(await receiptOf()).toEqual(receipt);
  await takeBack(company);
  expect(await receiptOf()).toMatchObject({ payee: "Outra", payer: { name: "Bia", address: "Recife" }, payments: [] });
  await payFor(company, "Pix of June 5");
  expect((await receiptOf()).payments).toMatchObject([{ value: 99.9, reference: "Pix of June 5" }]);

  await aConnection(company);
  const { id } = await aConnection(company);
  const usedOf = async () =>
    (await operator.call(invoices.companies, { query: { searchParam: company.name } })).body.companies[0]?.connections;
  expect(await usedOf()).toMatchObject({ used: 2 });
  await sql`update connections set deleted_at = now() where id = ${id}`.execute(app.db.system);
  expect(await usedOf()).toMatchObject({ used: 1 });
});
