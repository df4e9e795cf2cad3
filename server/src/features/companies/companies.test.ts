import { companies } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a user reads the plan of their company, the operator the plan of any company (Y-04)", async () => {
  const company = await aCompany(app, { withoutFlags: ["useKanban"], limit: 7 });
  const operator = await aCompany(app, { isOperator: true });
  const params = { companyId: company.id };

  const own = await app.as(await aUser(company)).call(companies.listPlan, { params });
  expect([own.status, own.body]).toMatchObject([
    200,
    { id: company.id, plan: { users: 7, useKanban: false, useCampaigns: true } },
  ]);
  expect((await app.as(operator.admin).call(companies.listPlan, { params })).body).toEqual(own.body);

  const stranger = await aCompany(app);
  expect((await app.as(stranger.admin).call(companies.listPlan, { params })).status).toBe(404);
  expect((await app.as(undefined).call(companies.listPlan, { params })).status).toBe(401);
});
