import { audit, invoices, subscription } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
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
import { invoicesFeature } from "../feature.ts";

/** Orders at the edges: at once, after a failure of yesterday, for less than a provider takes, and paid when the company is gone. */

const clock = createMovedClock();
let app: TestApp;
let operator: TestCaller;
let providers: LocalProviders;
let efi: LocalProviders["efi"];
let asaas: LocalProviders["asaas"];
beforeAll(async () => {
  providers = await startLocalProviders();
  ({ efi, asaas } = providers);
  const local = invoicesFeature({ ...providers.addresses, rules: { timeoutMs: 2_000, attempts: 1, pauseMs: 1 } });
  app = await createTestApp({ clock, features: features.map((one) => (one.name === local.name ? local : one)) });
  const home = await aCompany(app, { isOperator: true, name: "Operadora" });
  operator = app.as(home.admin);
  const keys = { pixKey: "chave@efi.test", certificate: testTls.client, ...efiKeys };
  await operator.call(invoices.saveSettings, { body: { provider: "asaas", asaas: asaasKeys } });
  await operator.call(invoices.saveSettings, { body: { provider: "efi", efi: keys } });
  await app.settle();
});
afterAll(() => Promise.all([app.close(), providers.close()]));

const day = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const buy = (company: TestCompany, more: object = {}) =>
  app.as(company.admin).call(subscription.create, { body: { firstName: "Ana Souza", ...more } });
/** Of two months: the providers' clock is not moved, and a day later may be another month. */
const received = async () => {
  const { receivedThisMonth, receivedLastMonth } = (await operator.call(invoices.summary)).body;
  return receivedThisMonth + receivedLastMonth;
};

test("of two orders at once the second waits for the first one's charge, or makes it where that failed (F-03)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const both = await Promise.all([buy(company), buy(company)]);
  expect(both.map(({ status, body }) => [status, body.txid])).toEqual([
    [200, both[0].body.txid],
    [200, both[0].body.txid],
  ]);

  const unlucky = await aCompany(app, { dueDate: day(9) });
  efi.fail("503");
  const statuses = (await Promise.all([buy(unlucky), buy(unlucky)])).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 503]);
  expect(efi.wrongs).toEqual([]);
});

test("Efí: an order that failed halfway gets another code the next day: the first one's has ended (F-03)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const before = efi.charges.size;
  // made there, and nobody learns of it
  efi.fail("lost answer");
  expect((await buy(company)).status).toBe(503);
  const [first] = [...efi.charges.keys()].slice(before);
  clock.advance({ days: 1 });
  const again = await buy(company);
  expect([again.status, again.body.txid === first]).toEqual([200, false]);
  expect(Date.parse(again.body.expiresAt ?? "")).toBeGreaterThan(clock.now().getTime());
});

test("Asaas: a plan that costs less than Asaas takes is paid with its least charge, whose rest is credit (F-03)", async () => {
  await operator.call(invoices.saveSettings, { body: { provider: "asaas", asaas: asaasKeys } });
  const company = await aCompany(app, { dueDate: day(9) });
  await sql`update plans set value = 3 where id = (select plan_id from companies where id = ${company.id})`.execute(
    app.db.system,
  );
  const made = await buy(company, { taxId: "529.982.247-25" });
  expect([made.status, made.body]).toMatchObject([200, { valor: { original: "5.00" }, invoiceValue: 3 }]);
  asaas.pay(asaas.payments.find(({ externalReference }) => externalReference === made.body.txid)!.id);
  clock.advance({ minutes: 2 });
  await app.settle();
  const { rows } = await sql`select sum(amount)::float8 as credit from credit_entries
    where company_id = ${company.id}`.execute(app.db.system);
  expect(rows).toEqual([{ credit: 2 }]);
  expect(asaas.wrongs).toEqual([]);
  await operator.call(invoices.saveSettings, { body: { provider: "efi" } });
});

test("money that arrives after its company was deleted counts once, is told to the operator, and what goes back is not received (F-04)", async () => {
  const company = await aCompany(app, { dueDate: day(9) });
  const { txid } = (await buy(company)).body;
  const before = await received();
  // as the operator deletes it, before the job has erased it
  await sql`update companies set deleted_at = now(), is_active = false where id = ${company.id}`.execute(app.db.system);
  efi.pay(txid, "E0900");
  for (const minutes of [2, 2]) {
    clock.advance({ minutes });
    await app.settle();
  }
  const sum = Math.round(((await received()) - before) * 100) / 100;
  const told = (await operator.call(audit.list, {})).body.records.filter(
    ({ action }) => action === "payment.unassigned",
  );
  expect([sum, told]).toMatchObject([
    99.9,
    [
      {
        targetType: "company",
        targetId: String(company.id),
        targetName: company.name,
        details: { value: 99.9, provider: "efi", reference: "E0900" },
      },
    ],
  ]);
  efi.giveBack("E0900", "40.00");
  for (const minutes of [10, 10]) {
    clock.advance({ minutes });
    await app.settle();
  }
  await sql`delete from companies where id = ${company.id}`.execute(app.db.system);
  expect(Math.round(((await received()) - before) * 100) / 100).toBe(59.9);
});
