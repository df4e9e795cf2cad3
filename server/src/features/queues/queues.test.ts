import { queues } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aQueue, aUser } from "#server/testing/factories.ts";
import { queuesOf } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("queues are added, changed field by field, listed by their order and deleted (Q-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const sales = await admin.call(queues.create, {
    body: { name: "Vendas", color: "#1F7AE0", orderQueue: 2, greetingMessage: "Olá" },
  });
  const support = await admin.call(queues.create, { body: { name: "Suporte", color: "#c2410c", orderQueue: 1 } });
  expect([sales.status, sales.body]).toMatchObject([200, { name: "Vendas", color: "#1f7ae0", greetingMessage: "Olá" }]);
  expect(sales.body.schedules).toHaveLength(7);

  const changed = await admin.call(queues.update, { params: { id: sales.body.id }, body: { orderQueue: 0 } });
  expect(changed.body).toMatchObject({ greetingMessage: "Olá", orderQueue: 0 });
  const list = await admin.call(queues.list);
  expect(list.body.map(({ name }) => name)).toEqual(["Vendas", "Suporte"]);

  expect((await admin.call(queues.remove, { params: { id: support.body.id } })).status).toBe(200);
  const gone = await admin.call(queues.get, { params: { id: support.body.id } });
  expect([gone.status, gone.body]).toMatchObject([404, { error: "ERR_NO_QUEUE_FOUND" }]);
});

test("the second limit of waiting comes after the first, unless one of them is off (Z-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const { body: queue } = await admin.call(queues.create, { body: { name: "Vendas", color: "#1f7ae0" } });
  expect(queue).toMatchObject({ waitWarningMinutes: 15, waitLimitMinutes: 60 });

  const save = async (body: object) => admin.call(queues.update, { params: { id: queue.id }, body });
  const refusal = { error: "ERR_VALIDATION", details: { fields: { waitLimitMinutes: expect.any(String) } } };
  expect((await save({ waitWarningMinutes: 60 })).body).toMatchObject(refusal);
  expect((await save({ waitLimitMinutes: 10 })).body).toMatchObject(refusal);
  const limits = { waitWarningMinutes: 90, waitLimitMinutes: 90 };
  const equal = await admin.call(queues.create, { body: { name: "Outra", color: "#123456", ...limits } });
  expect([equal.status, equal.body]).toMatchObject([400, refusal]);
  expect((await save({ waitWarningMinutes: 5, waitLimitMinutes: 10 })).status).toBe(200);
  expect((await save({ waitLimitMinutes: 0 })).body).toMatchObject({ waitWarningMinutes: 5, waitLimitMinutes: 0 });
  expect((await save({ greetingMessage: "Oi" })).body).toMatchObject({ waitWarningMinutes: 5, waitLimitMinutes: 0 });
});

test("no two queues of a company share a colour or a name, whatever the case of the colour (Q-10)", async () => {
  const company = await aCompany(app);
  const [first, second] = [await aQueue(company, { color: "#aabbcc" }), await aQueue(company)];
  const admin = app.as(company.admin);
  const sameColor = await admin.call(queues.create, { body: { name: "Other", color: "#AABBCC" } });
  expect([sameColor.status, sameColor.body]).toMatchObject([400, { error: "ERR_QUEUE_COLOR_ALREADY_EXISTS" }]);
  const recolored = await admin.call(queues.update, { params: { id: second.id }, body: { color: "#aabbcc" } });
  expect(recolored.body).toMatchObject({ error: "ERR_QUEUE_COLOR_ALREADY_EXISTS" });
  const sameName = await admin.call(queues.create, { body: { name: first.name, color: "#010101" } });
  expect([sameName.status, sameName.body]).toMatchObject([400, { error: "ERR_QUEUE_NAME_TAKEN" }]);

  const elsewhere = await aCompany(app);
  expect((await aQueue(elsewhere, { color: "#aabbcc", name: first.name })).id).toBeGreaterThan(0);
});

test("two who change one limit of waiting each do not pass each other (Z-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  for (const index of Array.from({ length: 6 }, (_, each) => each)) {
    const body = { name: `Fila ${index}`, color: `#00aa0${index}`, waitWarningMinutes: 10, waitLimitMinutes: 60 };
    const { id } = (await admin.call(queues.create, { body })).body;
    const update = (changes: object) => admin.call(queues.update, { params: { id }, body: changes });
    const answers = await Promise.all([update({ waitWarningMinutes: 50 }), update({ waitLimitMinutes: 20 })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  }
});

test("the plan's limit holds (Y-05)", async () => {
  const company = await aCompany(app, { limit: 1 });
  await aQueue(company);
  const refused = await app.as(company.admin).call(queues.create, { body: { name: "More", color: "#020202" } });
  expect([refused.status, refused.body]).toMatchObject([403, { error: "ERR_PLAN_LIMIT", details: { limit: 1 } }]);
});

test("the list is cached until a change, and every user of the company is notified of it", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const queue = await aQueue(company);
  await company.inside((ctx) => queuesOf(ctx));
  const socket = await app.connect(agent);

  await app.as(company.admin).call(queues.update, { params: { id: queue.id }, body: { name: "Renamed" } });
  await app.settle();

  const { payload } = await socket.next(`company-${company.id}-queue`);
  expect(payload).toMatchObject({ action: "update", queue: { id: queue.id, name: "Renamed" } });
  const [known] = await company.inside((ctx) => queuesOf(ctx));
  expect(known?.name).toBe("Renamed");
  socket.close();
});

test("a deleted queue disappears from its users' sessions at once", async () => {
  const company = await aCompany(app);
  const queue = await aQueue(company);
  const agent = await aUser(company, { queues: [queue] });
  await app.as(agent).get("/settings");
  await app.as(company.admin).call(queues.remove, { params: { id: queue.id } });
  await app.settle();
  const { body } = await app.as(agent).get<{ queues: unknown[] }>("/auth/me");
  expect(body.queues).toEqual([]);
  const session = await app.services.sessions.load(agent);
  expect(session?.actor.queueIds).toEqual([]);
});

test("a member of a deleted queue leaves its rooms and fetches again what is shown; a colleague need not (N-06)", async () => {
  const company = await aCompany(app);
  const queue = await aQueue(company);
  const kept = await aQueue(company);
  const member = await app.connect(await aUser(company, { queues: [queue, kept] }));
  const colleague = await app.connect(await aUser(company, { queues: [kept] }));
  await member.join("joinTickets", "pending");
  await colleague.join("joinTickets", "pending");

  await app.as(company.admin).call(queues.remove, { params: { id: queue.id } });
  await app.settle();
  await member.next("refetch");
  await colleague.flushed();
  expect(colleague.packets.map(({ event }) => event)).not.toContain("refetch");
  member.close();
  colleague.close();
});

test("agents read queues and get 403 for changes; another company gets 404, a stranger 401", async () => {
  const company = await aCompany(app);
  const queue = await aQueue(company);
  const agent = app.as(await aUser(company));
  const foreign = app.as((await aCompany(app)).admin);
  const params = { id: queue.id };
  expect((await agent.call(queues.get, { params })).status).toBe(200);
  expect((await agent.call(queues.update, { params, body: { name: "Mine" } })).status).toBe(403);
  expect((await agent.call(queues.remove, { params })).status).toBe(403);
  expect((await foreign.call(queues.get, { params })).status).toBe(404);
  expect((await foreign.call(queues.update, { params, body: { name: "Mine" } })).status).toBe(404);
  expect((await foreign.call(queues.remove, { params })).status).toBe(404);
  expect((await app.as(undefined).call(queues.list)).status).toBe(401);
});

test("a queue's token is said once and kept as a hash; empty keeps it, null removes it (Q-01)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const body = { name: "Pedidos", color: "#123abc", token: "a-token-of-orders" };
  const made = await admin.call(queues.create, { body });
  expect([made.body.token, made.body.hasToken]).toEqual(["a-token-of-orders", true]);

  const params = { id: made.body.id };
  const renamed = await admin.call(queues.update, { params, body: { name: "Encomendas", token: "" } });
  expect([renamed.body.token, renamed.body.hasToken]).toEqual([undefined, true]);
  const agent = app.as(await aUser(company));
  expect((await agent.call(queues.list)).body).toMatchObject([{ id: params.id, hasToken: true }]);
  expect((await agent.call(queues.list)).body[0]).not.toHaveProperty("token");
  const rows = await company.inside(({ db }) => db.selectFrom("queues").selectAll().execute());
  expect(JSON.stringify(rows)).not.toContain("a-token-of-orders");
  const taken = await admin.call(queues.create, { body: { ...body, name: "Outra", color: "#321cba" } });
  expect([taken.status, taken.body]).toMatchObject([400, { details: { fields: { token: "Already in use" } } }]);

  expect((await admin.call(queues.update, { params, body: { token: null } })).body.hasToken).toBe(false);
});
