import { connections, queues } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const body = (name: string, more = {}) => ({ body: { name, provider: "simulator" as const, ...more } });
const defaults = async (company: TestCompany) => {
  const list = await app.as(company.admin).call(connections.list);
  return list.body.filter(({ isDefault }) => isDefault).map(({ name }) => name);
};

describe("the form (W-01, W-02)", () => {
  test("keeps every field, and a change of one leaves the others alone (W-02)", async () => {
    const company = await aCompany(app);
    const [sales, support] = [await aQueue(company), await aQueue(company)];
    const fields = {
      greetingMessage: "Olá!",
      complationMessage: "Tchau!",
      outOfHoursMessage: "Fechado",
      ratingMessage: "Nota?",
      transferQueueId: support.id,
      timeToTransfer: 5,
      expiresTicket: 60,
      expiresInactiveMessage: "Até logo",
      timeUseBotQueues: 2,
      language: "en" as const,
    };
    const queueIds = [support.id, sales.id];
    const made = await app.as(company.admin).call(connections.create, body("Line", { ...fields, queueIds }));
    expect([made.status, made.body]).toMatchObject([
      200,
      { name: "Line", provider: "simulator", maxUseBotQueues: 3, ...fields },
    ]);
    expect(made.body.queues.map(({ id }) => id)).toEqual(queueIds);

    const params = { id: made.body.id };
    const changed = await app.as(company.admin).call(connections.update, { params, body: { name: "Renamed" } });
    expect(changed.body).toMatchObject({ name: "Renamed", ...fields });
    expect(changed.body.queues.map(({ id }) => id)).toEqual(queueIds);
  });

  test("several queues need a greeting (W-02, Q-10)", async () => {
    const company = await aCompany(app);
    const queueIds = [(await aQueue(company)).id, (await aQueue(company)).id];
    for (const greetingMessage of [" ", "\u200B\n\u2060"]) {
      const refused = await app.as(company.admin).call(connections.create, body("Mute", { queueIds, greetingMessage }));
      expect([refused.status, refused.body]).toMatchObject([400, { error: "ERR_WAPP_GREETING_REQUIRED" }]);
    }

    const line = await aConnection(company, { queueIds, greetingMessage: "Olá" });
    const silenced = await app
      .as(company.admin)
      .call(connections.update, { params: { id: line.id }, body: { greetingMessage: "" } });
    expect(silenced.body).toMatchObject({ error: "ERR_WAPP_GREETING_REQUIRED" });
  });

  test("of two who take away one half each of greeting and single queue, the second is refused (W-02, Q-10)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const [one, two] = [await aQueue(company), await aQueue(company)];
    for (const index of Array.from({ length: 6 }, (_, each) => each)) {
      const body = { name: `Linha ${index}`, greetingMessage: "Olá", queueIds: [one.id] };
      const { id } = (await admin.call(connections.create, { body })).body;
      const update = (changes: object) => admin.call(connections.update, { params: { id }, body: changes });
      const answers = await Promise.all([update({ queueIds: [one.id, two.id] }), update({ greetingMessage: "" })]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  test("minutes to transfer are kept without a queue, as other clients save them, and queues come and go (W-02, Q-07)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const queue = await aQueue(company);
    const made = await admin.call(connections.create, body("Line", { timeToTransfer: 5 }));
    expect(made.body).toMatchObject({ timeToTransfer: 5, transferQueueId: null });

    const line = await aConnection(company);
    const params = { id: line.id };
    const change = async (fields: object) => {
      const { status, body: answer } = await admin.call(connections.update, { params, body: fields });
      return [status, answer];
    };
    expect(await change({ timeToTransfer: 5 })).toMatchObject([200, { timeToTransfer: 5 }]);
    expect(await change({ transferQueueId: queue.id })).toMatchObject([200, { transferQueueId: queue.id }]);
    await admin.call(queues.remove, { params: { id: queue.id } });
    expect(await change({ name: "Renamed" })).toMatchObject([200, { timeToTransfer: 5, transferQueueId: null }]);
  });

  test("names are unique, queues are the company's own, and the plan's limit holds (W-01, W-02, Y-05)", async () => {
    const company = await aCompany(app, { limit: 2 });
    const foreignQueue = await aQueue(await aCompany(app));
    await aConnection(company, { name: "One" });
    const admin = app.as(company.admin);
    expect((await admin.call(connections.create, body("One"))).body).toMatchObject({ error: "ERR_WAPP_NAME_TAKEN" });
    const foreign = await admin.call(connections.create, body("Two", { queueIds: [foreignQueue.id] }));
    expect([foreign.status, foreign.body]).toMatchObject([404, { error: "ERR_NO_QUEUE_FOUND" }]);
    expect((await admin.call(connections.create, body("Two"))).status).toBe(200);
    const third = await admin.call(connections.create, body("Three"));
    expect([third.status, third.body]).toMatchObject([403, { error: "ERR_PLAN_LIMIT" }]);
  });

  test("the token is shown once and kept as a hash only (W-02)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const made = await admin.call(connections.create, body("Api", { token: "a-token-of-theirs" }));
    expect([made.body.token, made.body.hasToken]).toEqual(["a-token-of-theirs", true]);
    const params = { id: made.body.id };
    const read = await admin.call(connections.get, { params });
    expect([read.body.token, read.body.hasToken]).toEqual([undefined, true]);
    const rows = await app.db.system.selectFrom("connections").selectAll().where("id", "=", params.id).execute();
    expect(JSON.stringify(rows)).not.toContain("a-token-of-theirs");
    const kept = await admin.call(connections.update, { params, body: { token: "" } });
    expect([kept.body.token, kept.body.hasToken]).toEqual([undefined, true]);
    const removed = await admin.call(connections.update, { params, body: { token: null } });
    expect(removed.body.hasToken).toBe(false);
  });

  test("without the simulator there are no simulator lines (W-07)", async () => {
    const plain = await createTestApp({ sameDatabaseAs: app, env: { SIMULATOR: "off" }, closeAfterTest: true });
    const company = await aCompany(app);
    const refused = await plain.as(company.admin).call(connections.create, body("Sim"));
    expect([refused.status, refused.body]).toMatchObject([400, { error: "ERR_VALIDATION" }]);
  });
});

describe("the default (W-11)", () => {
  test("is the first, moves to the one that takes it, and is never given up without a successor (W-11)", async () => {
    const company = await aCompany(app);
    const first = await aConnection(company, { name: "First" });
    const second = await aConnection(company, { name: "Second" });
    expect(await defaults(company)).toEqual(["First"]);
    await app.as(company.admin).call(connections.update, { params: { id: second.id }, body: { isDefault: true } });
    expect(await defaults(company)).toEqual(["Second"]);

    const givenUp = await app
      .as(company.admin)
      .call(connections.update, { params: { id: second.id }, body: { isDefault: false } });
    expect([givenUp.status, givenUp.body]).toMatchObject([400, { error: "ERR_NO_OTHER_WHATSAPP" }]);

    await app.as(company.admin).call(connections.remove, { params: { id: second.id } });
    expect(await defaults(company)).toEqual(["First"]);
    expect((await app.as(company.admin).call(connections.remove, { params: { id: first.id } })).status).toBe(200);
  });

  test("there is exactly one, however many are taken at once (W-11)", async () => {
    const company = await aCompany(app);
    await aConnection(company);
    const made = await Promise.all(
      [1, 2, 3].map((n) =>
        app.as(company.admin).call(connections.create, body(`Line at once ${n}`, { isDefault: true })),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await defaults(company)).toHaveLength(1);
  });
});

test("agents read connections and change nothing; another company and a stranger find none (W-01)", async () => {
  const company = await aCompany(app);
  const { id } = await aConnection(company);
  const agent = app.as(await aUser(company));
  const foreign = app.as((await aCompany(app)).admin);
  const params = { id };
  expect((await agent.call(connections.list)).body).toHaveLength(1);
  for (const endpoint of [
    connections.update,
    connections.remove,
    connections.start,
    connections.renew,
    connections.stop,
    connections.log,
  ]) {
    expect((await agent.call(endpoint, { params, body: {} })).status).toBe(403);
    expect((await foreign.call(endpoint, { params, body: {} })).status).toBe(404);
  }
  expect((await agent.call(connections.create, body("Mine"))).status).toBe(403);
  expect((await foreign.call(connections.list)).body).toEqual([]);
  expect((await foreign.call(connections.get, { params })).status).toBe(404);
  expect((await app.as(undefined).call(connections.list)).status).toBe(401);
});
