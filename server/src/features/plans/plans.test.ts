import { companies, connections, planBody, planFlags, plans, queues, users } from "@prosa/contract";
import type { PlanFlag } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
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

test.each(planFlags)(
  "browsers of the company, and of no other, hear that %s was taken away and given back (Y-05)",
  async (flag) => {
    const [company, other] = [await aCompany(app), await aCompany(app)];
    const agent = await aUser(company);
    const [socket, foreign] = [await app.connect(agent), await app.connect(other.admin)];
    const { id } = await planOf(company.admin);
    const gates: Partial<Record<PlanFlag, string>> = {
      useSchedules: "/schedules",
      useInternalChat: "/chats",
      useKanban: "/ticket/kanban",
      useOpenAi: "/prompt",
      useIntegrations: "/queueIntegration",
    };
    const path = gates[flag];

    for (const isOn of [false, true]) {
      await asOperator().call(plans.update, { params: { id }, body: { [flag]: isOn } });
      await app.settle();
      const { payload } = await socket.next(`company-${company.id}-plan`);
      expect(payload).toMatchObject({ action: "update", plan: { id, [flag]: isOn } });
      expect(path === undefined || (await app.as(company.admin).get(path)).status).toBe(
        path === undefined ? true : isOn ? 200 : 403,
      );
    }
    await foreign.flushed();
    expect(foreign.packets.filter(({ event }) => event.endsWith("-plan"))).toEqual([]);
    socket.close();
    foreign.close();
  },
);

test("a company that gets another plan hears it, and a lower limit counts for forms that are open (Y-05)", async () => {
  const company = await aCompany(app);
  const socket = await app.connect(company.admin);
  const poor = await aPlan("Poor", { users: 1, connections: 0, queues: 0, useKanban: false });
  await asOperator().call(companies.update, { params: { id: company.id }, body: { planId: poor.id } });
  await app.settle();
  const { payload } = await socket.next(`company-${company.id}-plan`);
  expect(payload).toMatchObject({ plan: { id: poor.id, useKanban: false } });
  socket.close();

  const caller = app.as(company.admin);
  const user = { name: "Second", email: "second@example.com", password: "secret", profile: "user" } as const;
  const answers = [
    await caller.call(users.create, { body: user }),
    await caller.call(queues.create, { body: { name: "Sales", color: "#123456" } }),
    await caller.call(connections.create, { body: { name: "Line", provider: "simulator" } }),
  ];
  expect(answers.map(({ status, body }) => [status, (body as { error?: string }).error])).toEqual(
    answers.map(() => [403, "ERR_PLAN_LIMIT"]),
  );
});

function withoutPublic(name: string, value: number) {
  const { isPublic: _, ...rest } = planBody.parse({ name, value });
  return rest;
}
