import { audit, connections, prompts, promptVoices, queues, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A company with a queue and a prompt of it. */
async function aPrompt(company?: TestCompany) {
  const of = company ?? (await aCompany(app));
  const admin = app.as(of.admin);
  const queue = await aQueue(of);
  const body = { name: "Vendedora", prompt: "Ajude a escolher um plano.", queueId: queue.id, apiKey: "sk-secret-1" };
  const made = await admin.call(prompts.create, { body });
  return { company: of, admin, queue, made, prompt: made.body, params: { id: made.body.id } };
}

test("a prompt is added with the defaults, listed with its queue, changed and deleted (O-08)", async () => {
  const { admin, queue, made, params } = await aPrompt();
  expect([made.status, made.body]).toMatchObject([
    200,
    {
      voice: "text",
      maxTokens: 100,
      temperature: 1,
      maxMessages: 10,
      hasApiKey: true,
      hasVoiceKey: false,
      queue: { id: queue.id, name: queue.name },
    },
  ]);
  const changes = { name: "Ana", temperature: 0.7, voice: promptVoices[16], voiceRegion: "brazilsouth" };
  const changed = await admin.call(prompts.update, { params, body: { ...changes, voiceKey: "azure-1" } });
  expect(changed.body).toMatchObject({ ...changes, prompt: "Ajude a escolher um plano.", hasVoiceKey: true });
  expect((await admin.call(prompts.list)).body.prompts).toEqual([changed.body]);
  expect((await admin.call(prompts.get, { params })).body).toEqual(changed.body);

  const removed = await admin.call(prompts.remove, { params });
  expect(removed.body).toEqual({ message: "Prompt deleted" });
  expect((await admin.call(prompts.list)).body.prompts).toEqual([]);
  expect((await admin.call(prompts.get, { params })).status).toBe(404);
  const { records } = (await admin.call(audit.list, { query: { targetType: "prompt" } as never })).body;
  expect(records.map(({ action, targetName }) => [action, targetName])).toEqual([
    ["prompt.deleted", "Ana"],
    ["prompt.updated", "Ana"],
    ["prompt.created", "Vendedora"],
  ]);
  expect(records[1]!.details).toMatchObject({ name: { from: "Vendedora", to: "Ana" }, voiceKey: "***" });
  expect(JSON.stringify(records)).not.toMatch(/azure-1|sk-secret/);
});

test("a prompt without a queue is refused with a message of its own; other fields are validated (O-08)", async () => {
  const { admin, queue, params } = await aPrompt();
  const body = { name: "Outra", prompt: "Ajude." };
  for (const queueId of [undefined, null, "", 0]) {
    expect(await admin.post("/prompt", { ...body, queueId })).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION", details: { fields: { queueId: "Informe o setor" } } },
    });
  }
  expect(await admin.put(`/prompt/${params.id}`, { queueId: null })).toMatchObject({ status: 400 });
  const foreign = await aQueue(await aCompany(app));
  expect(await admin.post("/prompt", { ...body, queueId: foreign.id })).toMatchObject({
    status: 404,
    body: { error: "ERR_NO_QUEUE_FOUND" },
  });
  const wrong = { voice: "robot", maxTokens: 0, temperature: 3, maxMessages: 0, baseUrl: "ftp://x.example", name: " " };
  const { status, body: answer } = await admin.post("/prompt", { ...body, queueId: queue.id, ...wrong });
  expect(status).toBe(400);
  expect(Object.keys((answer as { details: { fields: object } }).details.fields).sort()).toEqual(
    Object.keys(wrong).sort(),
  );
  expect(
    await admin.post("/prompt", { ...body, queueId: queue.id, baseUrl: "http://169.254.169.254/v1" }),
  ).toMatchObject({ status: 400, body: { details: { fields: { baseUrl: "Private address" } } } });
  expect(await admin.post("/prompt", { ...body, queueId: queue.id, name: "Vendedora" })).toMatchObject({
    status: 409,
    body: { error: "ERR_NAME_TAKEN" },
  });
});

test("keys are write-only: in no response, in no event, and encrypted in the database (O-08)", async () => {
  const { company, admin, params, queue } = await aPrompt();
  const screen = await app.connect(company.admin);
  const answers = [
    await admin.call(prompts.update, { params, body: { name: "Ana", voiceKey: "azure-secret-2" } }),
    await admin.call(prompts.get, { params }),
    await admin.call(prompts.list),
    await admin.call(queues.get, { params: { id: queue.id } }),
  ];
  await app.settle();
  await screen.flushed();
  expect(screen.packets.map(({ event }) => event)).toContain(`company-${company.id}-prompt`);
  expect(JSON.stringify([answers, screen.packets])).not.toMatch(/secret/);
  screen.close();

  const { rows } = await company.inside((ctx) =>
    sql<{ row: string; api: Buffer; voice: Buffer }>`
      select prompts::text || encode(api_key, 'escape') || encode(voice_key, 'escape') as row, api_key as api,
        voice_key as voice from prompts`.execute(ctx.db),
  );
  expect(rows[0]?.row).not.toMatch(/secret/);
  const { vault } = app.services;
  const place = `prompt:${company.id}:${params.id}`;
  expect(vault.open(rows[0]!.api, `${place}:apiKey`).toString()).toBe("sk-secret-1");
  expect(vault.open(rows[0]!.voice, `${place}:voiceKey`).toString()).toBe("azure-secret-2");

  const change = async (body: object) => (await admin.call(prompts.update, { params, body })).body;
  // A key does not move with its service: else whoever may change the address would read it there.
  const kept = { hasApiKey: true, hasVoiceKey: true };
  expect(await change({ baseUrl: "https://api.openai.com/v2", voiceRegion: "brazilsouth" })).toMatchObject(kept);
  expect(await change({ baseUrl: "https://models.example/v1" })).toMatchObject({ ...kept, hasApiKey: false });
  expect(await change({ baseUrl: "https://other.example/v1", apiKey: "sk-secret-3" })).toMatchObject(kept);
  expect(await change({ voiceRegion: "eastus" })).toMatchObject({ ...kept, hasVoiceKey: false });
  expect(await change({ voiceKey: "azure-secret-4" })).toMatchObject(kept);
  expect(await admin.put(`/prompt/${params.id}`, { apiKey: "sk-a\nsk-b" })).toMatchObject({
    status: 400,
    body: { details: { fields: { apiKey: "Invalid key" } } },
  });
  const emptied = await admin.call(prompts.update, { params, body: { apiKey: "" } });
  expect(emptied.body).toMatchObject({ hasApiKey: false, hasVoiceKey: true });
});

test("queues, connections and tickets refer to a prompt of their company; deleting it clears the references (Q-01, W-02, O-08)", async () => {
  const { company, admin, queue, prompt, params } = await aPrompt();
  const line = await aConnection(company, { queueIds: [queue.id], promptId: prompt.id });
  await admin.call(queues.update, { params: { id: queue.id }, body: { promptId: prompt.id } });
  const contact = await aContact(company);
  const opened = await admin.call(tickets.create, {
    body: { contactId: contact.id, queueId: queue.id, whatsappId: line.id, userId: company.admin.userId },
  });
  const ticket = { params: { id: opened.body.id } };
  expect((await admin.call(tickets.update, { ...ticket, body: { promptId: prompt.id } })).body.promptId).toBe(
    prompt.id,
  );
  const screen = await app.connect(company.admin);

  expect((await admin.call(prompts.remove, { params })).status).toBe(200);
  await app.settle();
  await screen.flushed();

  expect((await admin.call(queues.get, { params: { id: queue.id } })).body.promptId).toBeNull();
  expect((await admin.call(queues.list)).body).toMatchObject([{ promptId: null }]);
  expect((await admin.call(connections.get, { params: { id: line.id } })).body.promptId).toBeNull();
  expect((await admin.call(tickets.get, ticket)).body.promptId).toBeNull();
  expect(screen.packets.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([
      { action: "delete", id: prompt.id },
      { action: "update", queue: expect.objectContaining({ id: queue.id, promptId: null }) },
      { action: "update", whatsapp: expect.objectContaining({ id: line.id, promptId: null }) },
    ]),
  );
  screen.close();
});

test("a prompt whose queue was deleted stays, without a queue (O-08)", async () => {
  const { admin, queue, params } = await aPrompt();
  await admin.call(queues.remove, { params: { id: queue.id } });
  expect((await admin.call(prompts.get, { params })).body).toMatchObject({ queueId: null, queue: null });
});

test("a prompt is invisible to another company and cannot be referred to, not even by a plain statement (O-08, N-06)", async () => {
  const { prompt, params } = await aPrompt();
  const other = await aCompany(app);
  const foreign = app.as(other.admin);
  const queue = await aQueue(other);
  const theirs = await aConnection(other);
  expect((await foreign.call(prompts.get, { params })).status).toBe(404);
  expect((await foreign.call(prompts.update, { params, body: { name: "Minha" } })).status).toBe(404);
  expect((await foreign.call(prompts.remove, { params })).status).toBe(404);
  expect((await foreign.call(prompts.list)).body.prompts).toEqual([]);
  const body = { promptId: prompt.id };
  expect((await foreign.call(queues.update, { params: { id: queue.id }, body })).status).toBe(404);
  expect((await foreign.call(connections.update, { params: { id: theirs.id }, body })).status).toBe(404);
  await expect(
    other.inside((ctx) => sql`update queues set prompt_id = ${prompt.id} where id = ${queue.id}`.execute(ctx.db)),
  ).rejects.toThrow(/queues_prompt_id_fkey/);
});

test("prompts are for admins whose plan has AI; an existing reference may stay without it (O-08, Y-05)", async () => {
  const { company, prompt, queue } = await aPrompt();
  const agent = app.as(await aUser(company));
  expect((await agent.call(prompts.list)).body).toMatchObject({ error: "ERR_NO_PERMISSION" });
  expect((await app.as(undefined).call(prompts.list)).status).toBe(401);

  const poor = await aCompany(app, { withoutFlags: ["useOpenAi"] });
  const admin = app.as(poor.admin);
  const own = await aQueue(poor);
  expect((await admin.call(prompts.list)).body).toMatchObject({ error: "ERR_PLAN_WITHOUT_FEATURE" });
  const choice = { params: { id: own.id }, body: { promptId: prompt.id } };
  expect((await admin.call(queues.update, choice)).body).toMatchObject({ error: "ERR_PLAN_WITHOUT_FEATURE" });

  // the plan changes while the queue refers to a prompt: the queue's form can still be saved
  await app.as(company.admin).call(queues.update, { params: { id: queue.id }, body: { promptId: prompt.id } });
  await app.db.systemTx(async (tx) => {
    await sql`update plans set flags = flags || '{"useOpenAi": false}' where id =
      (select plan_id from companies where id = ${company.id})`.execute(tx.db);
    tx.emit(company.id, { type: "plan.updated", payload: { planId: 0 } });
  });
  const saved = await app
    .as(company.admin)
    .call(queues.update, { params: { id: queue.id }, body: { greetingMessage: "Oi", promptId: prompt.id } });
  expect([saved.status, saved.body]).toMatchObject([200, { greetingMessage: "Oi", promptId: prompt.id }]);
});
