import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { auth, companies, invitations, invoices, subscription } from "@prosa/contract";
import type { Invoice } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { createRenewedSessions } from "#server/testing/renewed-sessions.ts";
import { followReturns } from "./pay/returns.ts";

/** A company of São Paulo pays by the month; noon of the first day. */
const clock = createMovedClock("2026-03-01T15:00:00Z");
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

const { sessionOf, as, forget } = createRenewedSessions(() => app, clock);

async function invoicesOf(company: TestCompany): Promise<Invoice[]> {
  return (await (await as(company.admin)).call(invoices.list, { query: {} })).body.invoices;
}

async function rawMailsTo(email: string): Promise<string[]> {
  const folder = join(app.services.config.dataDir, "outbox");
  const names: string[] = await readdir(folder).catch(() => []);
  const inOrder = names.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const mails = await Promise.all(inOrder.map((name) => readFile(join(folder, name), "utf8")));
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}

/** Their subjects. */
const mailsTo = async (email: string) =>
  (await rawMailsTo(email)).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? "");

const dueDateOf = async ({ id }: TestCompany) =>
  (await (await as(home.admin)).call(companies.get, { params: { id } })).body.dueDate;
const enter = async (email: string) => app.as(undefined).post("/auth/login", { email, password: testPassword });

test("an invoice is issued 20 days before the due date, once, at what the plan costs then; mails 7, 3 and 1 days before, once each (F-05)", async () => {
  const company = await aCompany(app, { dueDate: "2026-03-22" });
  const far = await aCompany(app, { dueDate: "2026-06-01" });
  await later({ minutes: 10 });
  expect(await invoicesOf(company)).toEqual([]);

  await sql`update plans set value = 120.5 where id = (select plan_id from companies where id = ${company.id})`.execute(
    app.db.system,
  );
  const socket = await app.connect(await sessionOf(company.admin));
  await later({ days: 1 });
  const [issued, ...more] = await invoicesOf(company);
  expect([issued, more]).toMatchObject([{ value: 120.5, dueDate: "2026-03-22", status: "open", months: 1 }, []]);
  expect((await (await as(company.admin)).get("/invoices/all?pageNumber=1")).body).toEqual([issued]);
  expect(await socket.next(`company-${company.id}-invoice`)).toMatchObject({
    payload: { action: "create", record: issued },
  });

  // Mail at each of the three days, once, however often the job runs; the price of the plan is no longer asked.
  await sql`update plans set value = 1 where id = (select plan_id from companies where id = ${company.id})`.execute(
    app.db.system,
  );
  // Without a billing e-mail its admins are told.
  await sql`update companies set email = '' where id = ${company.id}`.execute(app.db.system);
  const invitation = { email: "convidada@example.org", profile: "admin" } as const;
  const invited = await (await as(company.admin)).call(invitations.create, { body: invitation });
  for (const days of [12, 1, 3, 1, 2, 1]) {
    await later({ days });
    await later({ minutes: 10 });
  }
  expect(await mailsTo(company.admin.email)).toEqual([
    "Sua assinatura vence em 7 dia(s)",
    "Sua assinatura vence em 3 dia(s)",
    "Sua assinatura vence em 1 dia(s)",
  ]);
  // Nobody has confirmed this address.
  expect(await mailsTo(invited.body.user.email)).toEqual([]);
  expect(await invoicesOf(company)).toEqual([issued]);
  expect(await invoicesOf(far)).toEqual([]);
  expect(await mailsTo(far.admin.email)).toEqual([]);
  clock.set("2026-03-01T15:00:00Z");
});

test("past the due date and the days of grace only the admin enters, to pay; a payment marked by the operator opens it at once (A-03, F-03, F-04)", async () => {
  clock.set("2026-04-10T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2026-04-12", name: "Doçura & Cia" });
  const agent = await aUser(company);
  const settings = { provider: "static", pixKey: "pix@example.com", pixName: "Operadora", pixCity: "Olinda" } as const;
  expect(
    (await (await as(home.admin)).call(invoices.saveSettings, { body: { ...settings, graceDays: 2 } })).status,
  ).toBe(200);
  clock.set("2026-04-14T20:00:00Z");
  await app.settle();
  expect([(await enter(agent.email)).status, (await (await as(agent)).get("/tickets")).status]).toEqual([200, 200]);

  clock.set("2026-04-15T04:00:00Z");
  await later({ minutes: 10 });
  const refused = await enter(agent.email);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: "ERR_SUBSCRIPTION_EXPIRED", details: { dueDate: "2026-04-12" } },
  ]);
  expect((await enter(company.admin.email)).status).toBe(200);
  forget(company.admin);
  const owner = await as(company.admin);
  expect((await owner.get("/tickets")).body).toMatchObject({ error: "ERR_SUBSCRIPTION_EXPIRED" });
  // The browser learns it from the session, and need not ask for what it cannot have.
  const isClosed = async () => (await owner.call(auth.me)).body.company.isClosed;
  expect(await isClosed()).toBe(true);

  const [bill] = await invoicesOf(company);
  const order = {
    firstName: "Ana",
    address2: "Rua 1",
    city: "Olinda",
    zipcode: "53000-000",
    country: "BR",
    price: 0.01,
  };
  const pix = await owner.call(subscription.create, { body: { ...order, invoiceId: bill!.id } });
  expect([pix.status, pix.body]).toMatchObject([200, { valor: { original: "99.90" }, txid: `FATURA${bill!.id}` }]);
  expect(pix.body.qrcode.qrcode).toContain("540599.90");
  expect(await owner.call(subscription.create, { body: { ...order } })).toMatchObject({ body: pix.body });
  expect((await owner.call(subscription.next)).body).toEqual({
    order: { detail: bill!.detail, value: 99.9, months: 1, dueDate: "2026-04-12", due: 99.9 },
  });
  const card = await owner.post("/subscription", { ...order, cardNumber: "4111 1111 1111 1111" });
  expect([card.status, card.text.includes("4111")]).toEqual([400, false]);

  const marked = await (
    await as(home.admin)
  ).call(invoices.markPaid, { params: { id: bill!.id }, body: { note: "TED de 14/04" } });
  expect(marked.body).toMatchObject({ status: "paid", paidBy: "manual", paidUntil: "2026-05-12" });
  await app.settle();
  expect([(await enter(agent.email)).status, await dueDateOf(company)]).toEqual([200, "2026-05-12"]);
  expect(await isClosed()).toBeUndefined();
  const again = await (
    await as(home.admin)
  ).call(invoices.markPaid, { params: { id: bill!.id }, body: { note: "de novo" } });
  expect([again.status, again.body]).toMatchObject([409, { error: "ERR_INVOICE_NOT_OPEN" }]);
  const receipt = await owner.call(invoices.get, { params: { id: bill!.id } });
  expect(receipt.body).toMatchObject({
    payee: "Operadora",
    payer: { name: "Ana", address: "Rua 1, Olinda, 53000-000" },
    payments: [{ method: "manual", value: 99.9, reference: "TED de 14/04" }],
  });

  const { body: desk } = await (await as(home.admin)).call(invoices.companies, { query: { searchParam: "docura" } });
  expect(desk.companies).toMatchObject([
    {
      id: company.id,
      users: { used: 2, limit: 100 },
      queues: { used: 0 },
      open: 0,
      overdue: 0,
      credit: 0,
      status: true,
    },
  ]);
  const { body: summary } = await (await as(home.admin)).call(invoices.summary);
  expect(summary).toMatchObject({ receivedThisMonth: 99.9, receivedLastMonth: 0 });
  await (await as(home.admin)).call(invoices.saveSettings, { body: { ...settings, graceDays: 0 } });
});

test("an invoice whose date the operator moved is cancelled; whoever was closed for months pays from today; many jobs at once issue one (F-05)", async () => {
  clock.set("2026-07-01T15:00:00Z");
  const [moved, late] = [
    await aCompany(app, { dueDate: "2026-07-10" }),
    await aCompany(app, { dueDate: "2026-01-10" }),
  ];
  await later({ minutes: 10 });
  await (await as(home.admin)).call(companies.update, { params: { id: moved.id }, body: { dueDate: "2026-12-10" } });
  await later({ minutes: 10 });
  expect(await invoicesOf(moved)).toMatchObject([{ status: "cancelled", dueDate: "2026-07-10" }]);
  await (
    await as(home.admin)
  ).call(companies.update, {
    params: { id: moved.id },
    body: { dueDate: "2026-07-10", recurrence: "TRIMESTRAL" },
  });
  await Promise.all([later({ minutes: 10 }), later({ minutes: 10 })]);
  expect(await invoicesOf(moved)).toMatchObject([{ status: "open", value: 299.7, months: 3 }]);

  const [old] = await invoicesOf(late);
  const paid = await (await as(home.admin)).call(invoices.markPaid, { params: { id: old!.id }, body: { note: "PIX" } });
  expect(paid.body).toMatchObject({ dueDate: "2026-01-10", paidUntil: "2026-08-01" });
  await later({ minutes: 10 });
  expect((await invoicesOf(late)).map(({ status }) => status)).toEqual(["paid"]);
});

test("a period that is due in the past from the start, on days of grace, is warned of before the company is closed (A-03, F-05)", async () => {
  const settings = { provider: "static", pixKey: "pix@example.com", graceDays: 60 } as const;
  await (await as(home.admin)).call(invoices.saveSettings, { body: settings });
  clock.set("2026-08-01T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2026-06-10" });
  await sql`update companies set email = '' where id = ${company.id}`.execute(app.db.system);
  for (const days of ["02", "05", "08"]) {
    clock.set(`2026-08-${days}T15:00:00Z`);
    await later({ minutes: 10 });
  }
  const mails = await rawMailsTo(company.admin.email);
  expect(mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])).toEqual([
    "Sua assinatura vence em 7 dia(s)",
    "Sua assinatura vence em 1 dia(s)",
  ]);
  expect(mails[0]).toContain("9 de agosto");
  await (await as(home.admin)).call(invoices.saveSettings, { body: { ...settings, graceDays: 0 } });
});

test("a returned payment is mailed to the payer and to the operator, each with a link to where they see the invoice (F-06)", async () => {
  clock.set("2026-03-01T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2026-03-10" });
  await app.db.system.updateTable("companies").set({ language: "es" }).where("id", "=", company.id).execute();
  await later({ minutes: 10 });
  const [issued] = await invoicesOf(company);
  await (await as(home.admin)).call(invoices.markPaid, { params: { id: issued!.id }, body: { note: "Pix" } });
  const { rows } = await sql<{ reference: string; value: number }>`
    select reference, value from invoice_payments where company_id = ${company.id}`.execute(app.db.system);
  const payment = { companyId: company.id, provider: "manual", reference: rows[0]!.reference } as const;
  const told = { mailUrl: "https://prosa.example" };
  await app.db.systemTx((tx) =>
    followReturns(tx, { ...payment, returned: rows[0]!.value, kind: "chargeback" }, { now: clock.now(), told }),
  );
  const { rows: mails } = await sql<{ to: string; text: string }>`
    select payload->>'to' as "to", payload->>'text' as text from jobs where task = 'mail.send'`.execute(app.db.system);
  const textTo = (email: string) => mails.filter(({ to }) => to === email).map(({ text }) => text);
  expect(textTo(company.admin.email)).toEqual([
    `El pago de ${company.name} fue impugnado y revertido: R$\u00a099,90.\n\nUna factura está abierta de nuevo: https://prosa.example/financeiro`,
  ]);
  expect(textTo(home.admin.email)).toEqual([
    `O pagamento de ${company.name} foi contestado e estornado: R$\u00a099,90.\n\nUma fatura está em aberto de novo: https://prosa.example/settings?tab=billing`,
  ]);
});

test("invoices come a page at a time to the payer and the operator; open and overdue of the summary are the sums of the rows, by each company's calendar (F-01, F-05)", async () => {
  // 23:30 of the 14th in São Paulo is the 15th in Lisbon: what is due on the 14th is overdue only there.
  clock.set("2026-09-15T02:30:00Z");
  const [many, west, off] = await Promise.all([
    aCompany(app, { dueDate: "2026-09-14" }),
    aCompany(app, { dueDate: "2026-09-14" }),
    aCompany(app, { dueDate: "2026-08-01" }),
  ]);
  await sql`update companies set time_zone = 'Europe/Lisbon' where id = ${west.id}`.execute(app.db.system);
  await sql`insert into invoices (company_id, due_date, detail, value, months, issued_at, status, paid_at, paid_by)
    select ${many.id}, date '2020-01-10' + n * 31, 'Plano', 10, 1, ${clock.now()}, 'paid', ${clock.now()}, 'manual'
    from generate_series(0, 40) n`.execute(app.db.system);
  await later({ minutes: 10 });
  await (await as(home.admin)).call(companies.update, { params: { id: off.id }, body: { status: false } });

  const owner = await as(many.admin);
  const operator = await as(home.admin);
  const pages = await Promise.all(
    [1, 2, 3, 4].map((pageNumber) => owner.call(invoices.list, { query: { pageNumber } })),
  );
  expect(pages.map(({ body }) => [body.invoices.length, body.count, body.hasMore])).toEqual([
    [20, 42, true],
    [20, 42, true],
    [2, 42, false],
    [0, 42, false],
  ]);
  const all = pages.flatMap(({ body }) => body.invoices);
  expect([all[0]?.dueDate, new Set(all.map(({ id }) => id)).size]).toEqual(["2026-09-14", 42]);
  expect(all.map(({ dueDate }) => dueDate)).toEqual(
    all
      .map(({ dueDate }) => dueDate)
      .toSorted()
      .toReversed(),
  );
  const second = await operator.call(invoices.ofCompany, { params: { companyId: many.id }, query: { pageNumber: 2 } });
  expect(second.body.invoices).toEqual(pages[1]!.body.invoices);

  const { rows } = await sql<{ companyId: number; value: number; isLate: boolean }>`
    select i.company_id as "companyId", i.value::float8 as value,
      i.due_date < (${clock.now()}::timestamptz at time zone c.time_zone)::date as "isLate"
    from invoices i join companies c on c.id = i.company_id
    where i.status = 'open' and c.deleted_at is null`.execute(app.db.system);
  const totalOf = (some: typeof rows) => ({
    count: some.length,
    value: Math.round(some.reduce((sum, { value }) => sum + value, 0) * 100) / 100,
  });
  const late = rows.filter(({ isLate }) => isLate);
  const isLate = ({ id }: TestCompany) => late.some(({ companyId }) => companyId === id);
  expect([isLate(many), isLate(west), isLate(off)]).toEqual([false, true, true]);
  expect((await operator.call(invoices.summary)).body).toMatchObject({ open: totalOf(rows), overdue: totalOf(late) });
  // and the same in the list, those who owe first
  const desk = (await operator.call(invoices.companies, { query: {} })).body.companies;
  const owed = (key: "open" | "overdue") => Math.round(desk.reduce((sum, one) => sum + one[key], 0) * 100) / 100;
  expect([owed("open"), owed("overdue")]).toEqual([totalOf(rows).value, totalOf(late).value]);
  expect(desk.findLastIndex(({ overdue }) => overdue > 0)).toBe(late.length - 1);
});

test("a free plan renews itself before anybody is warned, after a trial too; the trial of a paid plan ends (A-03, F-05)", async () => {
  clock.set("2026-11-02T15:00:00Z");
  const [free, paid] = await Promise.all([aCompany(app), aCompany(app)]);
  await sql`update plans set value = 0 where id = (select plan_id from companies where id = ${free.id})`.execute(
    app.db.system,
  );
  const trial = sql`due_date = '2026-11-05', trial_expiration = '2026-11-05T15:00:00Z'`;
  await sql`update companies set ${trial} where id in (${free.id}, ${paid.id})`.execute(app.db.system);
  const [agent, other] = [await aUser(free), await aUser(paid)];
  await later({ days: 4 });
  await later({ minutes: 10 });
  expect([(await enter(agent.email)).status, (await enter(other.email)).status]).toEqual([200, 403]);
  expect([await dueDateOf(free), await dueDateOf(paid)]).toEqual(["2026-12-05", "2026-11-05"]);
  expect([await invoicesOf(free), await mailsTo(free.admin.email)]).toEqual([[], []]);
  await later({ days: 21 });
  expect(await dueDateOf(free)).toBe("2026-12-05");
  await later({ days: 1 });
  expect(await dueDateOf(free)).toBe("2027-01-05");
});

test("the warning names what is due, a debt with it; what a deleted company has paid stays in the operator's sums (F-04, F-05)", async () => {
  clock.set("2027-05-01T15:00:00Z");
  const company = await aCompany(app, { dueDate: "2027-05-08" });
  await sql`with past as (
      insert into invoices (company_id, due_date, detail, value, months, issued_at, status, paid_at, paid_by)
      values (${company.id}, '2020-01-10', 'Plano', 50, 1, ${clock.now()}, 'paid', ${clock.now()}, 'manual') returning id)
    insert into credit_entries (company_id, amount, invoice_id, created_at) select ${company.id}, -50, id, ${clock.now()} from past`.execute(
    app.db.system,
  );
  await later({ minutes: 10 });
  const mails = await rawMailsTo(company.admin.email);
  expect([mails.length, mails[0]]).toEqual([1, expect.stringContaining("149,90")]);

  const operator = await as(home.admin);
  const [bill] = await invoicesOf(company);
  await operator.call(invoices.markPaid, { params: { id: bill!.id }, body: { note: "TED" } });
  const received = async () => (await operator.call(invoices.summary)).body.receivedThisMonth;
  expect(await received()).toBe(149.9);
  await operator.call(companies.remove, { params: { id: company.id } });
  await app.settle();
  const left = await sql`select from invoice_payments where company_id = ${company.id}`.execute(app.db.system);
  expect([left.rows, await received()]).toEqual([[], 149.9]);
});
