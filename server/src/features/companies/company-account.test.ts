import { companies } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
let home: TestCompany;
beforeAll(async () => {
  app = await createTestApp();
  home = await aCompany(app, { isOperator: true });
});
afterAll(() => app.close());

const billing = {
  billingName: "Loja Aurora Comércio de Móveis Ltda",
  addressZipCode: "01310-100",
  addressStreet: "Av. Paulista, 1000, sala 12",
  addressDistrict: "Bela Vista",
  addressCity: "São Paulo",
  addressState: "SP",
};
const empty = Object.fromEntries(Object.keys(billing).map((field) => [field, ""]));

test("a company's admin saves and reads its billing address, field by field (Y-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const params = { id: company.id };
  expect((await admin.call(companies.account, { params })).body).toEqual({ ...empty, taxId: "", hasToken: false });

  const saved = await admin.call(companies.saveAccount, { params, body: billing });
  expect([saved.status, saved.body]).toEqual([200, { ...billing, taxId: "", hasToken: false }]);
  await admin.call(companies.saveAccount, { params, body: { addressCity: "Santos" } });
  expect((await admin.call(companies.account, { params })).body).toEqual({
    ...billing,
    taxId: "",
    addressCity: "Santos",
    hasToken: false,
  });
});

test("the company's token is in the answer to saving it and nowhere else; empty keeps it, null removes it (Y-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const params = { id: company.id };
  const token = `company-token-of-${company.id}`;
  const made = await admin.call(companies.saveAccount, { params, body: { token } });
  expect([made.body.token, made.body.hasToken]).toEqual([token, true]);

  for (const body of [{ token: "" }, { billingName: "Aurora" }]) {
    const kept = await admin.call(companies.saveAccount, { params, body });
    expect([kept.body.token, kept.body.hasToken]).toEqual([undefined, true]);
  }
  const operator = app.as(home.admin);
  const seen = [
    await admin.call(companies.account, { params }),
    await admin.call(companies.get, { params }),
    await operator.call(companies.get, { params }),
    await operator.call(companies.lookup),
  ];
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain(token);
  const rows = await app.db.system.selectFrom("companies").selectAll().where("id", "=", company.id).execute();
  expect(JSON.stringify(rows)).not.toContain(token);

  const other = await aCompany(app);
  const taken = await app.as(other.admin).call(companies.saveAccount, { params: { id: other.id }, body: { token } });
  expect([taken.status, taken.body]).toMatchObject([400, { details: { fields: { token: "Already in use" } } }]);

  const removed = await admin.call(companies.saveAccount, { params, body: { token: null } });
  expect(removed.body.hasToken).toBe(false);
});

test("the operator saves billing and token with the company's record, and reads what is no secret (Y-01)", async () => {
  const operator = app.as(home.admin);
  const plan = await app.db.system.selectFrom("plans").select("id").orderBy("id").executeTakeFirstOrThrow();
  const token = "a-token-by-the-operator";
  const body = { name: "Padaria da Vila", email: "vila@example.com", planId: plan.id, password: "secret" };
  const made = await operator.call(companies.create, { body: { ...body, ...billing, token } });
  expect([made.status, made.body]).toMatchObject([200, { ...billing, hasToken: true, token }]);

  const params = { id: made.body.id };
  const changed = await operator.call(companies.update, { params, body: { addressStreet: "Rua Nova, 1", token: "" } });
  expect(changed.body).toMatchObject({ ...billing, addressStreet: "Rua Nova, 1", hasToken: true });
  const { body: all } = await operator.call(companies.lookup);
  expect(all.find(({ id }) => id === params.id)).toMatchObject({ addressStreet: "Rua Nova, 1", hasToken: true });
  const again = await operator.call(companies.create, {
    body: { ...body, name: "Outra", email: "outra@example.com", token },
  });
  expect([again.status, again.body]).toMatchObject([400, { details: { fields: { token: "Already in use" } } }]);
});

test("agents and supervisors read neither; an admin whose company is overdue still does, to pay (A-03, Y-04)", async () => {
  const company = await aCompany(app);
  const params = { id: company.id };
  for (const profile of ["user", "supervisor"] as const) {
    const caller = app.as(await aUser(company, { profile }));
    expect((await caller.call(companies.account, { params })).status).toBe(403);
    expect((await caller.call(companies.saveAccount, { params, body: billing })).status).toBe(403);
  }
  await app.db.system.updateTable("companies").set({ due_date: "2020-01-01" }).where("id", "=", company.id).execute();
  const saved = await app.as(company.admin).call(companies.saveAccount, { params, body: billing });
  expect([saved.status, saved.body]).toMatchObject([200, billing]);
});
