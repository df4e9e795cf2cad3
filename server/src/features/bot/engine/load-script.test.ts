import {
  companies,
  defaultSchedules,
  prompts,
  queueIntegrations,
  queueOptions,
  queues,
  settings,
} from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue } from "#server/testing/factories.ts";
import { loadScript } from "./load-script.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function aBot() {
  const company = await aCompany(app, { timeZone: "America/Manaus" });
  const [sales, support] = [await aQueue(company, { greetingMessage: "Vendas!" }), await aQueue(company)];
  const line = await aConnection(company, {
    greetingMessage: "Bem-vindo",
    outOfHoursMessage: "Fechado",
    queueIds: [support.id, sales.id],
    maxUseBotQueues: 5,
    timeUseBotQueues: 2,
    language: "es",
  });
  const script = () => company.inside((ctx) => loadScript(ctx, line.id, []));
  return { company, admin: app.as(company.admin), sales, support, line, script };
}

test("a script holds the connection's texts and limits, and its queues in the connection's order (Q-03)", async () => {
  const { sales, support, script } = await aBot();
  expect(await script()).toMatchObject({
    scheduleType: "disabled",
    companySchedules: defaultSchedules,
    timeZone: "America/Manaus",
    greeting: "Bem-vindo",
    outOfHoursMessage: "Fechado",
    maxRepeats: 5,
    quietMinutes: 2,
    greetsOneQueue: false,
    assistant: null,
    queues: [{ id: support.id }, { id: sales.id, greeting: "Vendas!", options: [], assistant: null }],
    texts: { back: "Volver", mainMenu: "Menú inicial" },
  });
});

test("queues that the connection does not list are known by their hours alone (B-03, Q-06)", async () => {
  const { company, admin, script } = await aBot();
  const night = await aQueue(company, { greetingMessage: "Plantão", outOfHoursMessage: "Às 22h" });
  const { id, outOfHoursMessage, schedules } = night;
  expect(await script()).toMatchObject({ queues: [{}, {}], otherQueues: [{ id, outOfHoursMessage, schedules }] });
  await admin.call(queues.update, { params: { id }, body: { outOfHoursMessage: "Às 23h" } });
  expect((await script()).otherQueues).toMatchObject([{ outOfHoursMessage: "Às 23h" }]);
});

test("while assistants are not implemented, a queue and a line with one behave as those without (Q-03, O-08, O-09)", async () => {
  const { company, admin, sales, script } = await aBot();
  const body = { name: "Vendedora", prompt: "Ajude a comprar", queueId: sales.id };
  const promptId = (await admin.call(prompts.create, { body })).body.id;
  const n8n = { type: "n8n" as const, name: "Fluxo", urlN8N: "https://n8n.example.com/webhook" };
  const integrationId = (await admin.call(queueIntegrations.create, { body: n8n })).body.id;
  const without = await script();

  await admin.call(queues.update, { params: { id: sales.id }, body: { promptId, integrationId } });
  expect((await admin.call(queues.get, { params: { id: sales.id } })).body).toMatchObject({ promptId, integrationId });
  const line = await aConnection(company, { queueIds: [sales.id], promptId, integrationId });
  expect(await script()).toEqual(without);
  expect(await company.inside((ctx) => loadScript(ctx, line.id, []))).toMatchObject({
    assistant: null,
    queues: [{ id: sales.id, greeting: "Vendas!", assistant: null }],
  });
});

test("a change of options, hours, settings or the connection is in the next script (Q-04, Q-06)", async () => {
  const { company, admin, sales, line, script } = await aBot();
  await script();

  await admin.call(queueOptions.create, { body: { queueId: sales.id, title: "Preços", option: "p" } });
  expect((await script()).queues[1]?.options).toMatchObject([{ option: "p", title: "Preços", children: [] }]);

  await admin.call(settings.save, { params: { key: "scheduleType" }, body: { value: "company" } });
  await admin.call(settings.save, { params: { key: "sendGreetingMessageOneQueues" }, body: { value: "enabled" } });
  expect(await script()).toMatchObject({ scheduleType: "company", greetsOneQueue: true });

  const late = defaultSchedules.map((day) => ({ ...day, startTime: "10:00" }));
  await admin.call(companies.saveSchedules, { params: { id: company.id }, body: { schedules: late } });
  expect((await script()).companySchedules).toEqual(late);

  await admin.put(`/whatsapp/${line.id}`, { queueIds: [sales.id], greetingMessage: "Olá" });
  expect(await script()).toMatchObject({ greeting: "Olá", queues: [{ id: sales.id }] });
});

test("the script of another company's connection is not found (N-06)", async () => {
  const { line } = await aBot();
  const other = await aCompany(app);
  await expect(other.inside((ctx) => loadScript(ctx, line.id, []))).rejects.toMatchObject({
    code: "ERR_NO_WAPP_FOUND",
  });
});
