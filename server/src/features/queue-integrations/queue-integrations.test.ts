import { generateKeyPairSync } from "node:crypto";
import { audit, connections, queueIntegrations, queues, scopeOf } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const n8n = { type: "n8n" as const, name: "Pedidos", urlN8N: "https://n8n.example.com/webhook/1" };
const account = JSON.stringify({ client_email: "bot@example.com", private_key: "a secret key" });

async function anAdmin() {
  const company = await aCompany(app);
  return { company, admin: app.as(company.admin) };
}

test("integrations are added with the defaults, searched, changed and deleted; names are unique (O-09)", async () => {
  const { admin } = await anAdmin();
  const made = await admin.call(queueIntegrations.create, { body: n8n });
  expect([made.status, made.body]).toMatchObject([
    200,
    { ...n8n, projectName: "Pedidos", language: "pt-BR", typebotDelayMessage: 1000, typebotExpires: 1 },
  ]);
  expect((await admin.call(queueIntegrations.create, { body: n8n })).body).toMatchObject({ error: "ERR_NAME_TAKEN" });
  const bot = {
    type: "typebot" as const,
    name: "Catálogo",
    urlN8N: "https://bot.example.com",
    typebotSlug: "catalogo",
  };
  expect((await admin.call(queueIntegrations.create, { body: bot })).status).toBe(200);

  const params = { id: made.body.id };
  const changed = await admin.call(queueIntegrations.update, { params, body: { name: "Compras", language: "es" } });
  expect(changed.body).toMatchObject({ name: "Compras", projectName: "Compras", urlN8N: n8n.urlN8N, language: "es" });
  const found = await admin.call(queueIntegrations.list, { query: { searchParam: "CATA" } });
  expect(found.body).toMatchObject({ queueIntegrations: [bot], count: 1, hasMore: false });
  expect((await admin.call(queueIntegrations.lookup)).body.map(({ name }) => name)).toEqual(["Catálogo", "Compras"]);

  expect((await admin.call(queueIntegrations.remove, { params })).body).toEqual({ message: "Integration deleted" });
  expect((await admin.call(queueIntegrations.get, { params })).status).toBe(404);
});

test.each([
  [
    { type: "n8n", name: "P" },
    { name: "Too Short!", urlN8N: "Required" },
  ],
  [{ type: "webhook", name: "x".repeat(51), urlN8N: "https://a.example" }, { name: "Too Long!" }],
  [{ type: "typebot", name: "Bot", urlN8N: "https://a.example" }, { typebotSlug: "Required" }],
  [{ type: "n8n", name: "Bot", urlN8N: "not a web address" }, { urlN8N: "Invalid address" }],
  [{ type: "n8n", name: "Bot", urlN8N: "http://127.0.0.1:5678/" }, { urlN8N: "Private address" }],
  [{ type: "dialogflow", name: "Bot", jsonContent: "{" }, { jsonContent: "Invalid JSON" }],
])("%o is refused (O-09)", async (body, fields) => {
  const { admin } = await anAdmin();
  const answer = await admin.post("/queueIntegration", body);
  expect(answer).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION", details: { fields } } });
});

test("a change cannot remove a required field of the type (O-09)", async () => {
  const { admin } = await anAdmin();
  const { body } = await admin.call(queueIntegrations.create, { body: n8n });
  const change = (changes: object) => admin.put(`/queueIntegration/${body.id}`, changes);
  expect(await change({ urlN8N: "" })).toMatchObject({
    status: 400,
    body: { details: { fields: { urlN8N: "Required" } } },
  });
  expect(await change({ type: "typebot" })).toMatchObject({ status: 400 });
  expect(await change({ urlN8N: "http://10.0.0.1/" })).toMatchObject({ status: 400 });
  expect(await change({ type: "dialogflow", urlN8N: "", projectName: "loja-1" })).toMatchObject({
    status: 200,
    body: { type: "dialogflow", projectName: "loja-1" },
  });
});

test("an integration that is made one of a signed type is given its secret, which is shown this once (O-09, V-01)", async () => {
  const { admin } = await anAdmin();
  const bot = { type: "typebot" as const, name: "Loja", urlN8N: "https://bot.example.com", typebotSlug: "loja" };
  const made = (await admin.call(queueIntegrations.create, { body: bot })).body;
  expect(made.secret).toBeNull();
  const params = { id: made.id };
  const save = async (body: object) => (await admin.call(queueIntegrations.update, { params, body })).body;
  expect(await save({ typebotSlug: "loja-2" })).toMatchObject({ secret: null });
  expect(await save({ type: "n8n" })).toMatchObject({
    type: "n8n",
    secret: expect.stringMatching(/^whsec_/) as string,
  });
  // it has one from then on, through other types too
  for (const type of ["webhook", "typebot", "webhook"]) {
    expect(await save({ type })).toMatchObject({ type, secret: null });
  }
  const { records } = (await admin.call(audit.list)).body;
  expect(records.filter(({ action }) => action === "integration.secret-changed")).toHaveLength(1);
});

test("a service account is write-only: in no response, in no event, and encrypted in the database (O-09)", async () => {
  const { company, admin } = await anAdmin();
  const screen = await app.connect(company.admin);
  const body = { type: "dialogflow" as const, name: "Dúvidas", projectName: "duvidas-1", jsonContent: account };
  const made = await admin.call(queueIntegrations.create, { body });
  const params = { id: made.body.id };
  const answers = [
    made,
    await admin.call(queueIntegrations.update, { params, body: { language: "en" } }),
    await admin.call(queueIntegrations.get, { params }),
    await admin.call(queueIntegrations.list),
  ];
  await app.settle();
  await screen.flushed();
  expect(answers[1]?.body).toMatchObject({ hasJsonContent: true, language: "en" });
  expect(screen.packets.map(({ event }) => event)).toContain(`company-${company.id}-queueIntegration`);
  expect(JSON.stringify([answers, screen.packets])).not.toMatch(/a secret key|bot@example/);
  screen.close();

  const { rows } = await company.inside((ctx) =>
    sql<{ json_content: Buffer }>`select json_content from queue_integrations`.execute(ctx.db),
  );
  const sealed = rows[0]!.json_content;
  expect(sealed.toString("latin1")).not.toMatch(/secret|bot@example/);
  const context = `queue-integration:${company.id}:${params.id}:jsonContent`;
  expect(app.services.vault.open(sealed, context).toString()).toBe(account);

  const emptied = await admin.call(queueIntegrations.update, { params, body: { jsonContent: "" } });
  expect(emptied.body.hasJsonContent).toBe(false);
});

test("addresses in a key file and in the log are guarded: private ones are not called, and the audit log hides them (O-09, V-01)", async () => {
  const { admin } = await anAdmin();
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  for (const uri of [
    "http://127.0.0.1:9/token",
    "http://169.254.169.254/token",
    "http://localhost.example.test.localhost./",
  ]) {
    const jsonContent = JSON.stringify({ client_email: "a@b.example", private_key: privateKey, token_uri: uri });
    const answer = await admin.call(queueIntegrations.test, { body: { projectName: "p", jsonContent } });
    expect(answer).toMatchObject({ status: 400, body: { details: { reason: "private address" } } });
  }
  const { body } = await admin.call(queueIntegrations.create, { body: n8n });
  const urlN8N = "https://n8n.example.com/webhook/very-secret";
  await admin.call(queueIntegrations.update, { params: { id: body.id }, body: { urlN8N } });
  const { records: entries } = (await admin.call(audit.list)).body;
  expect(entries).toContainEqual(
    expect.objectContaining({ action: "integration.updated", details: { urlN8N: "***" } }),
  );
  expect(JSON.stringify(entries)).not.toContain("very-secret");
  expect(scopeOf(queueIntegrations.update)).toBeUndefined();
});

test("queues and connections refer to an integration of their company; deleting it clears the references (Q-01, W-02, O-09)", async () => {
  const { company, admin } = await anAdmin();
  const { body: integration } = await admin.call(queueIntegrations.create, { body: n8n });
  const [queue, line] = [await aQueue(company), await aConnection(company)];
  const body = { integrationId: integration.id };
  expect((await admin.call(queues.update, { params: { id: queue.id }, body })).body).toMatchObject(body);
  expect((await admin.call(connections.update, { params: { id: line.id }, body })).body).toMatchObject(body);
  const screen = await app.connect(company.admin);

  await admin.call(queueIntegrations.remove, { params: { id: integration.id } });
  await app.settle();
  await screen.flushed();

  expect((await admin.call(queues.get, { params: { id: queue.id } })).body.integrationId).toBeNull();
  expect((await admin.call(connections.get, { params: { id: line.id } })).body.integrationId).toBeNull();
  expect(screen.packets.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([
      { action: "delete", id: integration.id },
      { action: "update", queue: expect.objectContaining({ id: queue.id, integrationId: null }) },
      { action: "update", whatsapp: expect.objectContaining({ id: line.id, integrationId: null }) },
    ]),
  );
  screen.close();
});

test("an integration is refused to another company, to agents, and to a plan without integrations (O-09, N-06, Y-05)", async () => {
  const { company, admin } = await anAdmin();
  const { body: integration } = await admin.call(queueIntegrations.create, { body: n8n });
  const params = { id: integration.id };
  const other = await aCompany(app, { withoutFlags: ["useOpenAi"] });
  const foreign = app.as(other.admin);
  const queue = await aQueue(other);
  expect((await foreign.call(queueIntegrations.get, { params })).status).toBe(404);
  expect((await foreign.call(queueIntegrations.update, { params, body: { language: "en" } })).status).toBe(404);
  expect((await foreign.call(queueIntegrations.remove, { params })).status).toBe(404);
  const choice = { params: { id: queue.id }, body: { integrationId: integration.id } };
  expect((await foreign.call(queues.update, choice)).status).toBe(404);

  const agent = app.as(await aUser(company, { profile: "supervisor" }));
  expect((await agent.call(queueIntegrations.list)).body).toMatchObject({ error: "ERR_NO_PERMISSION" });
  expect((await app.as(undefined).call(queueIntegrations.list)).status).toBe(401);
  const poor = await aCompany(app, { withoutFlags: ["useIntegrations"] });
  const refused = { error: "ERR_PLAN_WITHOUT_FEATURE" };
  expect((await app.as(poor.admin).call(queueIntegrations.list)).body).toMatchObject(refused);
  const own = await aQueue(poor);
  const ownChoice = { params: { id: own.id }, body: { integrationId: integration.id } };
  expect((await app.as(poor.admin).call(queues.update, ownChoice)).body).toMatchObject(refused);
});
