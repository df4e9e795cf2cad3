import { addMonths, audit, companies, invoices, subscription } from "@prosa/contract";
import type { BodyIn, Invoice } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { features } from "#server/app/features.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { asaasKeys } from "#server/testing/payments/asaas-server.ts";
import { efiKeys, testTls } from "#server/testing/payments/efi-server.ts";
import { startLocalProviders } from "#server/testing/payments/local-providers.ts";
import type { LocalProviders } from "#server/testing/payments/local-providers.ts";
import { invoicesFeature } from "./feature.ts";

/** Efí and Asaas in their own words, on this machine: each invoice is paid once or not at all, and never by a forged call. */

const clock = createMovedClock();
let app: TestApp;
let home: TestCompany;
let operator: TestCaller;
let providers: LocalProviders;
let efi: LocalProviders["efi"];
let asaas: LocalProviders["asaas"];
beforeAll(async () => {
  providers = await startLocalProviders();
  ({ efi, asaas } = providers);
  const local = invoicesFeature({ ...providers.addresses, rules: { timeoutMs: 400, attempts: 2, pauseMs: 1 } });
  app = await createTestApp({ clock, features: features.map((one) => (one.name === local.name ? local : one)) });
  home = await aCompany(app, { isOperator: true, name: "Operadora" });
  operator = app.as(home.admin);
  await app.settle();
});
afterAll(() => Promise.all([app.close(), providers.close()]));

const pixKey = "chave@efi.test";
const certificate = testTls.client;
const withEfi = { provider: "efi", efi: { pixKey, certificate, ...efiKeys } } as const;
const withAsaas = { provider: "asaas", asaas: asaasKeys } as const;
const save = (body: BodyIn<typeof invoices.saveSettings>) => operator.call(invoices.saveSettings, { body });

const day = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const order = { firstName: "Ana Souza", address2: "Rua 1", city: "Recife", zipcode: "50000-000", country: "BR" };
const buy = (company: TestCompany, more: object = {}) =>
  app.as(company.admin).call(subscription.create, { body: { ...order, ...more } });
const invoicesOf = async (company: TestCompany): Promise<Invoice[]> =>
  (await app.as(company.admin).call(invoices.list, { query: {} })).body.invoices;
const creditOf = async ({ id }: TestCompany): Promise<number> =>
  (
    await sql<{
      sum: number;
    }>`select coalesce(sum(amount), 0) as sum from credit_entries where company_id = ${id}`.execute(app.db.system)
  ).rows[0]!.sum;

let efiPath = "";
/** Efí calls; the address is ours with /pix at its end. */
async function efiSays(...txids: string[]): Promise<number> {
  const pix = txids.map((txid) => ({ endToEndId: "E1", txid, valor: "0.01", horario: "2026-11-20T12:00:00.000Z" }));
  const { status } = await app.as(undefined).post(`${efiPath}/pix`, { pix });
  await app.settle();
  return status;
}
async function efiPays(txid: string, reference: string): Promise<string> {
  efi.pay(txid, reference);
  return efiSays(txid).then(() => txid);
}
async function asaasSays(payment: object, token: string = asaasKeys.webhookToken): Promise<number> {
  const headers = { "asaas-access-token": token };
  const call = { id: "evt_1", event: "PAYMENT_RECEIVED", payment };
  const { status } = await app.as(undefined).post("/webhooks/asaas", call, headers);
  await app.settle();
  return status;
}

beforeEach(async () => {
  const { body } = await save(withEfi);
  efiPath = new URL(body.efi.webhookUrl).pathname;
  await app.settle();
});

test("keys are saved, never shown, and a certificate that TLS cannot use is refused; the webhook is entered at Efí (F-03)", async () => {
  const { body, text } = await operator.call(invoices.settings);
  expect(body).toMatchObject({ provider: "efi", efi: { pixKey, hasKeys: true }, asaas: { hasKeys: false } });
  expect(text).not.toMatch(/Client_Secret_test|BEGIN/);
  const { rows } = await sql<{ sealed: string }>`select sealed from payment_accounts`.execute(app.db.system);
  expect(JSON.stringify(rows)).not.toContain("Client");
  expect(efi.requests.findLast(({ path }) => path === "/v2/webhook/chave%40efi.test")?.body).toEqual({
    webhookUrl: body.efi.webhookUrl,
  });
  const wrong = await save({ provider: "efi", efi: { pixKey, certificate: "-----BEGIN CERTIFICATE-----" } });
  expect([wrong.status, wrong.body]).toMatchObject([400, { details: { fields: { certificate: expect.any(String) } } }]);
  expect((await save({ provider: "asaas" })).status).toBe(400);
  expect((await save({ provider: "efi", efi: { pixKey, certificate: testTls.clientP12 } })).status).toBe(200);
});

test("Efí: forged calls pay nothing, repeated and reordered ones pay once; the payment extends the due date and is told (F-03, F-04)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const [first, again] = [await buy(company, { price: 0.01, invoiceId: null }), await buy(company)];
  expect([first.status, first.body]).toMatchObject([
    200,
    { valor: { original: "99.90" }, isConfirmedAutomatically: true },
  ]);
  const { txid, invoiceId } = first.body;
  expect([again.body, first.body.qrcode.qrcode]).toEqual([first.body, `00020126-${txid}`]);
  expect(efi.charges.get(txid)?.valor.original).toBe("99.90");

  // Nobody has paid: whoever calls, we ask Efí, and nothing is paid.
  const forged = await app.as(undefined).post("/webhooks/efi/guessed/pix", { pix: [{ txid }] });
  expect([forged.status, await efiSays(txid, "unknown"), (await invoicesOf(company))[0]?.status]).toEqual([
    404,
    200,
    "open",
  ]);

  const socket = await app.connect(company.admin);
  efi.pay(txid, "E0001");
  await Promise.all([efiSays(txid), efiSays(txid, txid), efiSays(txid)]);
  expect(await socket.next(`company-${company.id}-payment`)).toMatchObject({
    payload: { action: "CONCLUIDA", company: { id: company.id, name: company.name } },
  });
  // and an open page learns of every change of the due date, whoever made it
  expect(await socket.next(`company-${company.id}-company`)).toMatchObject({
    payload: { action: "update", company: { id: company.id, name: company.name, trialExpiration: null } },
  });
  expect(await efiSays(txid)).toBe(200);
  const [paid, ...more] = await invoicesOf(company);
  expect([paid, more, await creditOf(company)]).toMatchObject([
    { id: invoiceId, status: "paid", paidBy: "pix" },
    [],
    0,
  ]);
  expect(paid!.paidUntil! > day(35)).toBe(true);
  expect((await buy(company, { invoiceId })).body).toMatchObject({ error: "ERR_INVOICE_NOT_OPEN" });

  // A second payment of the same charge pays the next invoice, a third stays credit.
  clock.advance({ minutes: 2 });
  const next = await buy(company);
  efi.pay(txid, "E0002");
  efi.pay(txid, "E0003", "10.00");
  await efiSays(txid);
  expect(await invoicesOf(company)).toMatchObject([
    { id: next.body.invoiceId, status: "paid", paidBy: "credit" },
    { id: invoiceId },
  ]);
  expect(await creditOf(company)).toBe(10);
  expect(efi.wrongs).toEqual([]);
});

test("Efí: a lost answer, a time-out and an outage make no second charge; a payment without a webhook and one after the operator's mark are found (F-03, F-04)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const charges = efi.charges.size;
  efi.fail("lost answer");
  const made = await buy(company);
  expect([made.status, efi.charges.size]).toEqual([200, charges + 1]);

  const slow = await aCompany(app, { dueDate: day(9) });
  efi.fail("hang", "503");
  const failed = await buy(slow);
  expect([failed.status, failed.body]).toMatchObject([503, { error: "ERR_PAYMENT_PROVIDER" }]);
  const [one, two] = await Promise.all([buy(slow), buy(slow)]);
  expect([one.status, two.body, efi.charges.size]).toEqual([200, one.body, charges + 2]);

  // No webhook comes; the operator marks the invoice meanwhile: the money is credit.
  const { txid, invoiceId } = made.body;
  await operator.call(invoices.markPaid, { params: { id: invoiceId }, body: { note: "Comprovante" } });
  efi.pay(txid, "E0100");
  efi.pay(one.body.txid, "E0101");
  clock.advance({ minutes: 3 });
  await app.settle();
  const [marked] = await invoicesOf(company);
  expect([marked, await creditOf(company)]).toMatchObject([{ status: "paid", paidBy: "manual" }, 99.9]);
  expect(await invoicesOf(slow)).toMatchObject([{ status: "paid", paidBy: "pix" }]);

  // "Assine agora" with that credit pays the coming period and says so; a repeated call is the same order, not another period.
  expect(await nextOf(company)).toMatchObject({ original: "0.00", invoiceValue: 99.9 });
  const bought = await buy(company);
  expect(await nextOf(company)).toMatchObject({ original: "0.00", dueDate: marked!.paidUntil });
  const twice = await buy(company);
  const [byCredit] = await invoicesOf(company);
  expect([bought.status, twice.body, byCredit]).toMatchObject([200, bought.body, { status: "paid", paidBy: "credit" }]);
  expect(bought.body).toEqual({
    invoiceId: byCredit!.id,
    qrcode: { qrcode: "" },
    valor: { original: "0.00" },
    txid: "",
    expiresAt: null,
    isConfirmedAutomatically: true,
    invoiceValue: 99.9,
    credit: 99.9,
    paidUntil: byCredit!.paidUntil,
  });
  expect([byCredit!.paidUntil! > marked!.paidUntil!, await creditOf(company)]).toEqual([true, 0]);
  clock.advance({ minutes: 11 });
  expect(await nextOf(company)).toEqual({ original: "99.90", invoiceValue: 99.9, dueDate: byCredit!.paidUntil });
  expect((await buy(company)).body).toMatchObject({ valor: { original: "99.90" }, credit: 0, paidUntil: null });
  expect(efi.wrongs).toEqual([]);
});

test("Asaas: customer and payment are made once, whatever answers are lost; only the chosen token is heard, and only Asaas' own word counts (F-03, F-04)", async () => {
  await save(withAsaas);
  const company = await aCompany(app, { dueDate: day(-3), name: "Padaria" });
  const nobody = await buy(company);
  expect([nobody.status, nobody.body]).toMatchObject([400, { details: { fields: { taxId: expect.any(String) } } }]);
  expect((await buy(company, { taxId: "111.111.111-11" })).status).toBe(400);
  asaas.loseAnswer();
  const made = await buy(company, { taxId: "529.982.247-25" });
  expect([made.status, made.body]).toMatchObject([
    200,
    { qrcode: { qrcode: "00020126-pay_1" }, valor: { original: "99.90" } },
  ]);
  expect(asaas.customers).toMatchObject([{ name: "Ana Souza", cpfCnpj: "52998224725" }]);
  expect(asaas.payments).toMatchObject([{ value: 99.9, externalReference: made.body.txid, dueDate: day(0) }]);

  const payment = { id: "pay_1", externalReference: made.body.txid, status: "RECEIVED", value: 99.9 };
  expect(await asaasSays(payment, "another")).toBe(404);
  expect([await asaasSays(payment), (await invoicesOf(company))[0]?.status]).toEqual([200, "open"]);
  asaas.pay("pay_1");
  expect([await asaasSays(payment), await asaasSays({ id: "pay_1" }), await asaasSays({ id: "pay_9" })]).toEqual([
    200, 200, 200,
  ]);
  expect([await invoicesOf(company), await creditOf(company)]).toMatchObject([[{ status: "paid", paidBy: "pix" }], 0]);
  expect(asaas.wrongs).toEqual([]);
});

const actionsOf = async (company: TestCompany) =>
  (await app.as(company.admin).call(audit.list, {})).body.records.map(({ action }) => action);
/** What "Assine agora" says before it is ordered, as the charge says it. */
const nextOf = async (company: TestCompany) => {
  const { order } = (await app.as(company.admin).call(subscription.next)).body;
  return order && { original: order.due.toFixed(2), invoiceValue: order.value, dueDate: order.dueDate };
};
const dueDateOf = async ({ id }: TestCompany) => (await operator.call(companies.get, { params: { id } })).body.dueDate;

test("Efí: a returned Pix opens the invoice again once, in parts too; what is only asked for or refused moves nothing (F-04, F-06)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const { txid, invoiceId } = (await buy(company)).body;
  await efiPays(txid, "E0200");
  const paidUntil = await dueDateOf(company);
  expect([(await invoicesOf(company))[0]?.status, paidUntil! > day(35)]).toEqual(["paid", true]);
  // A paid period cannot be taken back by hand.
  const backByHand = await operator.call(companies.update, { params: { id: company.id }, body: { dueDate: day(9) } });
  expect(backByHand.body).toMatchObject({ error: "ERR_DUE_DATE_PAID" });

  efi.giveBack("E0200", "99.90", { status: "EM_PROCESSAMENTO" });
  efi.giveBack("E0200", "99.90", { status: "NAO_REALIZADO" });
  await efiSays(txid);
  expect([(await invoicesOf(company))[0]?.status, await creditOf(company)]).toEqual(["paid", 0]);

  efi.giveBack("E0200", "40.00");
  await Promise.all([efiSays(txid), efiSays(txid, txid), efiSays(txid)]);
  expect(await invoicesOf(company)).toMatchObject([{ id: invoiceId, status: "open", returned: 40, paidAt: null }]);
  expect([await dueDateOf(company), await creditOf(company)]).toEqual([day(9), 59.9]);
  // what stays of a payment counts: only the rest is asked for, and that charge gives way when all of it went back
  expect([(await invoicesOf(company))[0]?.due, (await buy(company)).body]).toMatchObject([
    40,
    { valor: { original: "40.00" }, invoiceValue: 99.9, credit: 59.9, paidUntil: null },
  ]);
  efi.giveBack("E0200", "59.90", { natureza: "MED_FRAUDE" });
  await efiSays(txid);
  await efiSays(txid);
  expect([await creditOf(company), (await invoicesOf(company))[0]?.returned]).toEqual([0, 99.9]);
  expect((await actionsOf(company)).filter((one) => /^(invoice|payment)\./u.test(one))).toEqual([
    "payment.returned",
    "invoice.reopened",
    "payment.returned",
    "invoice.paid",
    "invoice.issued",
  ]);
  expect(await actionsOf(home)).toContain("payment.returned");

  // It is paid again by a new charge, or by the operator's mark, each once.
  const again = await buy(company, { invoiceId });
  expect(again.body.txid).not.toBe(txid);
  efi.pay(again.body.txid, "E0201");
  await efiSays(again.body.txid, txid);
  expect([await dueDateOf(company), (await invoicesOf(company))[0]?.status]).toEqual([paidUntil, "paid"]);

  // Returned after the operator has moved the date: the debt waits for the next payment.
  await operator.call(companies.update, { params: { id: company.id }, body: { dueDate: day(400) } });
  efi.giveBack("E0201", "99.90");
  await efiSays(again.body.txid);
  expect([await dueDateOf(company), await creditOf(company)]).toEqual([day(400), -99.9]);
  // The next order names the debt, before it is given too, and asks for both, once.
  const issued = (await invoicesOf(company)).length;
  expect(await nextOf(company)).toEqual({ original: "199.80", invoiceValue: 99.9, dueDate: day(400) });
  expect(await invoicesOf(company)).toHaveLength(issued);
  const next = await buy(company);
  expect(await nextOf(company)).toEqual({ original: "199.80", invoiceValue: 99.9, dueDate: day(400) });
  expect(next.body).toMatchObject({ valor: { original: "199.80" }, invoiceValue: 99.9, credit: -99.9 });
  efi.pay(next.body.txid, "E0202");
  await efiSays(next.body.txid, next.body.txid);
  expect([(await invoicesOf(company))[0], await creditOf(company)]).toMatchObject([{ status: "paid", due: 0 }, 0]);

  // Whoever pays a code that was shown before the debt was known fills the debt, and learns what is still to be paid.
  clock.advance({ minutes: 2 });
  const before = (await buy(company)).body;
  await operator.call(companies.update, { params: { id: company.id }, body: { dueDate: day(800) } });
  clock.advance({ minutes: 10 });
  await app.settle();
  const shown = (await buy(company)).body;
  expect([before.valor.original, shown.valor.original]).toEqual(["99.90", "99.90"]);
  efi.giveBack("E0202", "199.80");
  await efiSays(next.body.txid);
  const stateOf = async () =>
    (await app.as(company.admin).call(invoices.get, { params: { id: shown.invoiceId } })).body;
  expect(await stateOf()).toMatchObject({ status: "open", due: 299.7, payments: [] });
  await efiPays(shown.txid, "E0203");
  expect(await stateOf()).toMatchObject({ status: "open", due: 199.8, payments: [{ value: 99.9 }] });
  // The operator's mark is of what is asked for: the debt with it.
  await operator.call(invoices.markPaid, { params: { id: shown.invoiceId }, body: { note: "TED" } });
  expect([(await stateOf()).status, await creditOf(company)]).toEqual(["paid", 0]);
  expect(efi.wrongs).toEqual([]);
});

test("a payment never leads to a period that is paid already: one that was paid out of turn is passed over, one that is open again comes first (F-04, F-06)", async () => {
  const first = day(9);
  const [second, third] = [addMonths(first, 1), addMonths(addMonths(first, 1), 1)];
  const mistaken = await aCompany(app, { dueDate: first });
  const pay = async (company: TestCompany, reference: string) => {
    const { txid } = (await buy(company)).body;
    return efiPays(txid, reference);
  };
  // The operator's mistake of a month is paid before it is put right.
  const move = (dueDate: string) => operator.call(companies.update, { params: { id: mistaken.id }, body: { dueDate } });
  await move(second);
  await pay(mistaken, "E0300");
  await move(first);
  await pay(mistaken, "E0301");
  expect([await dueDateOf(mistaken), await creditOf(mistaken)]).toEqual([third, 0]);
  expect((await buy(mistaken)).body).toMatchObject({ valor: { original: "99.90" } });

  // What was paid for the coming period pays the one that a return has opened again.
  const returned = await aCompany(app, { dueDate: first });
  const before = await pay(returned, "E0310");
  const ahead = (await buy(returned)).body.txid;
  efi.giveBack("E0310", "99.90");
  await efiSays(before);
  await efiPays(ahead, "E0311");
  clock.advance({ minutes: 10 });
  await app.settle();
  expect([await dueDateOf(returned), (await invoicesOf(returned))[0]?.status]).toEqual([second, "open"]);
  await pay(returned, "E0312");
  expect([await dueDateOf(returned), await creditOf(returned)]).toEqual([third, 0]);
});

test("after the operator's account has changed no old code is shown; whoever pays one all the same has paid (F-03)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const { txid } = (await buy(company)).body;
  await save(withEfi);
  expect((await buy(company)).body.txid).toBe(txid);
  await save({ ...withEfi, efi: { pixKey: "outra@efi.test" } });
  await save(withEfi);
  expect((await buy(company)).body.txid).not.toBe(txid);
  await efiPays(txid, "E0400");
  expect(await invoicesOf(company)).toMatchObject([{ status: "paid", paidBy: "pix" }]);
});

test("Asaas: refunds and chargebacks are followed by asking; a dispute that is won pays again; one of an unknown payment is nothing (F-04, F-06)", async () => {
  await save(withAsaas);
  const company = await aCompany(app, { dueDate: day(5), name: "Mercado" });
  const made = await buy(company, { taxId: "529.982.247-25" });
  const payment = asaas.payments.find(({ externalReference }) => externalReference === made.body.txid)!;
  const say = () => asaasSays({ id: payment.id, externalReference: made.body.txid });
  // Paid and given back before anybody looked: it was never ours.
  payment.status = "REFUNDED";
  await say();
  expect([(await invoicesOf(company))[0]?.status, await creditOf(company)]).toEqual(["open", 0]);
  asaas.pay(payment.id);
  await say();
  const paidUntil = await dueDateOf(company);
  expect((await invoicesOf(company))[0]?.status).toBe("paid");

  payment.status = "CHARGEBACK_REQUESTED";
  // a forged call changes nothing: what counts is asked
  expect(await asaasSays({ id: payment.id, status: "RECEIVED" }, "another")).toBe(404);
  await Promise.all([say(), say()]);
  expect([(await invoicesOf(company))[0]?.status, await dueDateOf(company)]).toEqual(["open", day(5)]);
  payment.status = "CHARGEBACK_DISPUTE";
  await say();
  asaas.pay(payment.id);
  await say();
  expect([(await invoicesOf(company))[0]?.status, await dueDateOf(company)]).toEqual(["paid", paidUntil]);
  payment.refunds = [
    { status: "DONE", value: 10 },
    { status: "PENDING", value: 20 },
  ];
  await say();
  payment.status = "REFUNDED";
  // no webhook comes: it is asked for
  clock.advance({ minutes: 20 });
  await app.settle();
  expect([(await invoicesOf(company))[0]?.status, await creditOf(company)]).toEqual(["open", 0]);
  expect(await actionsOf(company)).toContain("payment.restored");
  const { receivedThisMonth, receivedLastMonth } = (await operator.call(invoices.summary)).body;
  expect(receivedThisMonth + receivedLastMonth).toBeGreaterThanOrEqual(0);
  expect(asaas.wrongs).toEqual([]);
});
