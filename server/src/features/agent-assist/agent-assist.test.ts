import { agentAssist, agentAssistRules, knowledge, prompts, settings } from "@prosa/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asaasToken } from "#server/features/invoices/index.ts";
import { knowledgeFeature } from "#server/features/knowledge/feature.ts";
import { feature as promptsFeature } from "#server/features/prompts/feature.ts";
import { settingsFeature } from "#server/features/settings/feature.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { promptEmbedders } from "#server/features/prompts/index.ts";
import { createModelService } from "#server/testing/model-service.ts";
import type { ModelFault, ModelService } from "#server/testing/model-service.ts";
import { promptInjections } from "#server/testing/prompt-injections.ts";
import { feature } from "./feature.ts";

let service: ModelService;
let desk: Desk;
beforeAll(async () => {
  service = await createModelService();
  desk = await openDesk([settingsFeature(asaasToken), promptsFeature, knowledgeFeature(promptEmbedders), feature], {
    env: { LANGUAGE_MODEL_PRIVATE_HOSTS: "on" },
  });
});
beforeEach(() => service.reset());
afterAll(async () => {
  await desk.app.close();
  await service.close();
});

/** A company with a prompt, an agent, and their conversation with a customer. */
async function aConversation(of: Desk = desk) {
  const there = await of.otherCompany();
  const admin = await there.person("admin");
  const queueId = await there.queue();
  const agent = await there.person("user", { queueIds: [queueId] });
  const ticket = await there.ticket({ status: "open", user: agent, queueId, name: "Maria" });
  const body = { name: "Lia", prompt: "Fale como a loja.", queueId, apiKey: "sk-7", baseUrl: service.url };
  const { id: promptId } = (await admin.call(prompts.create, { body })).body;
  let serial = 0;
  const write = async (text: string, fromMe = false) => {
    serial += 1;
    const [row] = await there.rows<{ id: number }>(`
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
      values (${there.companyId}, ${ticket.id}, ${ticket.contactId}, ${there.connectionId}, 'W${serial}', ${fromMe},
        '${text.replaceAll("'", "''")}', now() + interval '${serial} s') returning id`);
    return row!.id;
  };
  return { there, admin, agent, queueId, params: { ticketId: ticket.id }, ticket, promptId, write };
}
const reply = (who: Person, ticketId: number) => who.call(agentAssist.reply, { params: { ticketId } });

test("a suggested reply comes from the conversation and the company's texts, with its sources and without their numbers (O-08)", async () => {
  const { admin, agent, params, write } = await aConversation();
  const stranger = await aConversation();
  await stranger.admin.call(knowledge.create, { body: { name: "Deles", text: "Devolução em 90 dias na outra loja." } });
  const text = "# Trocas\nDevolução em até 7 dias, com a nota.";
  await admin.call(knowledge.create, { body: { name: "Manual", text } });
  await write("Bom dia!", true);
  await write("posso devolver? comprei ontem, quero fazer a devolucao");
  service.answer = () => "Pode sim, em até 7 dias [1], com a nota [1].";

  const { status, body } = await reply(agent, params.ticketId);
  expect([status, body]).toEqual([
    200,
    {
      text: "Pode sim, em até 7 dias, com a nota.",
      sources: [{ source: "Manual", heading: "Trocas", page: null }],
    },
  ]);
  const [system, asked] = service.chats[0]!.messages;
  expect(system!.content).toContain(
    '<passage number="1" from="Manual › Trocas">\nDevolução em até 7 dias, com a nota.',
  );
  expect(system!.content).toContain("Fale como a loja.");
  expect(system!.content).not.toContain("outra loja");
  expect(JSON.parse(asked!.content)).toMatchObject({
    conversation: [
      { from: "agent", text: "Bom dia!" },
      { from: "customer", text: "posso devolver? comprei ontem, quero fazer a devolucao" },
    ],
  });
  expect(service.keys).toEqual(["sk-7"]);

  // a number that the model made up
  await stranger.write("oi");
  service.answer = () => "Olá [1]!";
  expect((await reply(stranger.agent, stranger.params.ticketId)).body).toEqual({ text: "Olá!", sources: [] });
});

test("summary, rewriting and translation are asked for in the system text, and what people wrote is data (O-08)", async () => {
  const { agent, params, write, promptId, admin } = await aConversation();
  const messageId = await write("I want my money back");
  // brackets of an author stay
  service.answer = () => "feito [1]";
  const ask = [
    await agent.call(agentAssist.summary, { params, body: { language: "pt" } }),
    await agent.call(agentAssist.rewrite, { params, body: { text: "oi td bem", tone: "formal" } }),
    await agent.call(agentAssist.translate, { params, body: { text: "Bom dia", language: "en" } }),
    await agent.call(agentAssist.translate, { params, body: { messageId, language: "pt" } }),
    // what the customer wrote last
    await agent.call(agentAssist.translate, { params, body: { language: "pt" } }),
  ];
  expect(ask.map(({ status, body }) => [status, body])).toEqual(
    Array(5).fill([200, { text: "feito [1]", sources: [] }]),
  );
  const told = service.chats.map(({ messages }) => messages.map(({ content }) => content));
  expect(told.map(([system]) => /Task: (\w+)/.exec(system!)?.[1])).toEqual([
    "summarise",
    "rewrite",
    "translate",
    "translate",
    "translate",
  ]);
  expect(told.slice(1).map(([, data]) => JSON.parse(data!) as unknown)).toEqual([
    { draft: "oi td bem" },
    { text: "Bom dia" },
    { text: "I want my money back" },
    { text: "I want my money back" },
  ]);
  // what it used counts for the month of the prompt, whose cap holds here too
  const usage = async () => (await admin.call(prompts.get, { params: { id: promptId } })).body.usage;
  expect(await usage()).toEqual({ requests: 5, tokens: 250, cost: null });
  await admin.call(prompts.update, { params: { id: promptId }, body: { monthlyTokens: 200 } });
  expect((await reply(agent, params.ticketId)).body).toMatchObject({ error: "ERR_AI_CAP" });
  expect(service.chats).toHaveLength(5);

  // nothing is a draft of the customer's orders: each stays within the JSON of the user
  await admin.call(prompts.update, { params: { id: promptId }, body: { monthlyTokens: null } });
  for (const text of promptInjections.slice(0, 5)) {
    await write(text);
  }
  await reply(agent, params.ticketId);
  const [system, data] = service.chats.at(-1)!.messages;
  expect(system!.content).not.toContain(promptInjections[0]);
  expect(JSON.parse(data!.content)).toHaveProperty("conversation");
});

test("only who may see the ticket asks; other companies' tickets and messages are not there (O-08, N-06)", async () => {
  const { there, agent, params, admin, write, queueId } = await aConversation();
  const theirs = await aConversation();
  const foreignMessage = await theirs.write("segredo");
  await write("oi");
  const colleague = await there.person("user", { queueIds: [await there.queue()] });
  expect((await reply(colleague, params.ticketId)).status).toBe(403);
  expect((await reply(admin, params.ticketId)).status).toBe(200);
  expect((await reply(agent, theirs.params.ticketId)).status).toBe(404);
  const body = { messageId: foreignMessage, language: "pt" as const };
  expect((await agent.call(agentAssist.translate, { params, body })).body).toMatchObject({
    error: "ERR_NO_MESSAGE_FOUND",
  });
  expect((await desk.app.as(undefined).call(agentAssist.state)).status).toBe(401);
  expect(service.chats).toHaveLength(1);

  // the company's choice: another prompt, or none
  const state = async () => (await agent.call(agentAssist.state)).body.isOn;
  const choose = (value: string) => admin.call(settings.save, { params: { key: "agentAssist" }, body: { value } });
  const second = { name: "Ana", prompt: "x", queueId, apiKey: "sk-2", baseUrl: service.url };
  const { id } = (await admin.call(prompts.create, { body: second })).body;
  expect([await state(), (await choose(String(id))).status]).toEqual([true, 200]);
  await reply(agent, params.ticketId);
  expect(service.keys.at(-1)).toBe("sk-2");
  await admin.call(prompts.remove, { params: { id } });
  await reply(agent, params.ticketId);
  expect(service.keys.at(-1)).toBe("sk-7");
  await choose("disabled");
  expect(await state()).toBe(false);
  expect((await reply(agent, params.ticketId)).body).toMatchObject({ error: "ERR_AI_UNAVAILABLE" });
  expect((await choose("perhaps")).status).toBe(400);
});

test("a chosen prompt that has lost its key sends no conversation to another prompt's service (O-08)", async () => {
  const { agent, params, admin, write, queueId } = await aConversation();
  await write("oi");
  const second = { name: "Ana", prompt: "x", queueId, apiKey: "sk-2", baseUrl: service.url };
  const { id } = (await admin.call(prompts.create, { body: second })).body;
  await admin.call(settings.save, { params: { key: "agentAssist" }, body: { value: String(id) } });
  const isOn = async () => (await agent.call(agentAssist.state)).body.isOn;
  expect(await isOn()).toBe(true);

  // its key stays behind with the address before
  const change = (body: object) => admin.call(prompts.update, { params: { id }, body });
  await change({ baseUrl: service.url.replace("127.0.0.1", "localhost") });
  expect(await reply(agent, params.ticketId)).toMatchObject({
    status: 503,
    body: { error: "ERR_AI_UNAVAILABLE", details: { fault: "key" } },
  });
  expect([await isOn(), service.keys]).toEqual([false, []]);
  await change({ baseUrl: service.url, apiKey: "sk-3" });
  expect([(await reply(agent, params.ticketId)).status, await isOn(), service.keys]).toEqual([200, true, ["sk-3"]]);
});

test("a model that fails is a sentence, not a wait; the limit of asking is each person's (O-08)", async () => {
  const { agent, params, write, promptId, admin } = await aConversation();
  await write("oi");
  const faults: readonly [ModelFault, string][] = [
    [{ status: 500 }, "service"],
    [{ status: 429 }, "limit"],
    ["garbage", "answer"],
    ["drop", "unreachable"],
  ];
  for (const [fault, name] of faults) {
    service.faults = [fault];
    expect(await reply(agent, params.ticketId)).toMatchObject({
      status: 503,
      body: { error: "ERR_AI_UNAVAILABLE", details: { fault: name } },
    });
  }
  const fault = async () => (await admin.call(prompts.get, { params: { id: promptId } })).body.fault;
  expect(await fault()).toMatchObject({ kind: "unreachable" });
  for (let n = faults.length; n < agentAssistRules.perUser.max; n += 1) {
    expect((await reply(agent, params.ticketId)).status).toBe(200);
    // a draft that works says so on the prompts' screen
    expect(await fault()).toBeNull();
  }
  expect((await reply(agent, params.ticketId)).body).toMatchObject({ error: "ERR_TOO_MANY_REQUESTS" });
  expect((await reply(admin, params.ticketId)).status).toBe(200);
});
