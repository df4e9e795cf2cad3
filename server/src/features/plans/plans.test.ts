import { companies, planBody, plans, queues } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = (await aCompany(app, { name: "Operators", isOperator: true })).admin;
});
afterAll(() => app.close());

const asOperator = () => app.as(operator);

async function aPlan(name: string, options: object = {}) {
  const { status, body } = await asOperator().call(plans.create, { body: { name, ...options } });
  expect(status).toBe(200);
  return body;
}

async function planOf(admin: TestUser) {
  const params = { companyId: admin.companyId };
  const own = (await app.as(admin).call(companies.listPlan, { params })).body.plan;
  return (await asOperator().call(plans.list)).body.find(({ id }) => id === own?.id)!;
}

test("a plan starts with limits of 0 and every flag on, and keeps all that is set (Y-02)", async () => {
  expect(await aPlan("Bare")).toEqual({
    id: expect.any(Number),
    name: "Bare",
    users: 0,
    connections: 0,
    queues: 0,
    value: 0,
    useCampaigns: true,
    useSchedules: true,
    useInternalChat: true,
    useExternalApi: true,
    useKanban: true,
    useOpenAi: true,
    useIntegrations: true,
    isPublic: true,
    companies: 0,
  });

  const full = {
    name: "Full",
    users: 5,
    connections: 2,
    queues: 7,
    value: 149.9,
    useCampaigns: false,
    useSchedules: false,
    useInternalChat: false,
    useExternalApi: false,
    useKanban: false,
    useOpenAi: false,
    useIntegrations: false,
    isPublic: false,
  };
  const { id } = await aPlan("Full", full);
  expect((await asOperator().call(plans.get, { params: { id } })).body).toEqual({ id, ...full, companies: 0 });

  const changed = await asOperator().call(plans.update, { params: { id }, body: { useKanban: true, value: 99.99 } });
  expect(changed.body).toEqual({ id, ...full, useKanban: true, value: 99.99, companies: 0 });
});

test("two plans cannot have one name; numbers below 0 are refused (Y-02)", async () => {
  const { id } = await aPlan("Taken");
  const other = await aPlan("Other");
  const again = await asOperator().call(plans.create, { body: { name: "Taken" } });
  expect([again.status, again.body]).toMatchObject([409, { error: "ERR_NAME_TAKEN" }]);
  const renamed = await asOperator().call(plans.update, { params: { id: other.id }, body: { name: "Taken" } });
  expect([renamed.status, renamed.body]).toMatchObject([409, { error: "ERR_NAME_TAKEN" }]);
  const kept = await asOperator().call(plans.update, { params: { id }, body: { name: "Taken" } });
  expect(kept.status).toBe(200);

  const negative = await asOperator().call(plans.create, { body: { name: "Less", users: -1, value: -5 } });
  expect([negative.status, negative.body]).toMatchObject([400, { details: { fields: { users: expect.any(String) } } }]);
});

test("a plan in use cannot be deleted; an unused one can (Y-02)", async () => {
  const company = await aCompany(app);
  const used = await planOf(company.admin);
  expect(used.companies).toBe(1);
  const refused = await asOperator().call(plans.remove, { params: { id: used.id } });
  expect([refused.status, refused.body]).toMatchObject([409, { error: "ERR_IN_USE" }]);
  expect((await asOperator().call(plans.get, { params: { id: used.id } })).status).toBe(200);

  const { id } = await aPlan("Unused");
  expect((await asOperator().call(plans.remove, { params: { id } })).status).toBe(200);
  expect((await asOperator().call(plans.remove, { params: { id } })).status).toBe(404);
  expect((await asOperator().call(plans.update, { params: { id }, body: { users: 1 } })).status).toBe(404);
});

test("a visitor sees the public plans, without the number of companies (Y-02)", async () => {
  await aPlan("Shown", { value: 10 });
  await aPlan("Hidden", { isPublic: false });
  const visitor = app.as(undefined);
  const { body, text } = await visitor.call(plans.lookup);
  expect(body.find(({ name }) => name === "Shown")).toEqual({ id: expect.any(Number), ...withoutPublic("Shown", 10) });
  expect(text).not.toContain("Hidden");
  expect(text).not.toMatch(/companies|isPublic/u);
  expect((await visitor.call(plans.all)).body).toEqual(body);
});

test("only the operator sees and changes plans (Y-04)", async () => {
  const company = await aCompany(app);
  const { id } = await planOf(company.admin);
  const calls = [
    [plans.list, {}],
    [plans.get, { params: { id } }],
    [plans.create, { body: { name: "Mine" } }],
    [plans.update, { params: { id }, body: { users: 1000 } }],
    [plans.remove, { params: { id } }],
  ] as const;
  for (const [call, input] of calls) {
    expect((await app.as(company.admin).call(call, input as never)).status).toBe(403);
    expect((await app.as(undefined).call(call, input as never)).status).toBe(401);
  }
});

test("a change of the plan holds at once in every company that has it (Y-05)", async () => {
  const company = await aCompany(app, { limit: 1 });
  const add = (name: string, color: string) => app.as(company.admin).call(queues.create, { body: { name, color } });
  expect((await add("First", "#111111")).status).toBe(200);
  const full = await add("Second", "#222222");
  expect([full.status, full.body]).toMatchObject([403, { error: "ERR_PLAN_LIMIT" }]);

  const { id } = await planOf(company.admin);
  await asOperator().call(plans.update, { params: { id }, body: { queues: 2, useSchedules: false } });
  await app.settle();
  expect((await add("Second", "#222222")).status).toBe(200);
  const gated = await app.as(company.admin).get("/schedules");
  expect([gated.status, gated.body]).toMatchObject([403, { error: "ERR_PLAN_WITHOUT_FEATURE" }]);
});

function withoutPublic(name: string, value: number) {
  const { isPublic: _, ...rest } = planBody.parse({ name, value });
  return rest;
}
