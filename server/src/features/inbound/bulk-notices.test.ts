import { bulkUndoMs } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { sendMessages, toOutgoingMessages } from "#server/features/messages/index.ts";
import { createFakeLineApp, createBotScenario } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const [maria, joao] = ["5511988887777", "5511977776666"] as const;

async function aDesk(): Promise<BotScenario> {
  const scenario = await createBotScenario(fakeLineApp, { complationMessage: "Até logo, {{firstName}}!" });
  await scenario.saveSetting("sendGreetingAccepted", "enabled");
  await scenario.saveSetting("sendMsgTransfTicket", "enabled");
  await scenario.sendTexts(maria, "oi");
  await scenario.sendTexts(joao, "oi");
  return scenario;
}

async function bulk(scenario: BotScenario, act: object): Promise<string> {
  const ticketIds = [(await scenario.ticketOf(maria)).id, (await scenario.ticketOf(joao)).id];
  const { status, body } = await scenario.admin.post<{ bulkId: string }>("/tickets/bulk", { ticketIds, act });
  expect(status).toBe(200);
  return body.bulkId;
}

async function afterItsSeconds(scenario: BotScenario): Promise<void> {
  scenario.clock.advance({ seconds: bulkUndoMs / 1_000 });
  await scenario.app.settle();
}

const hello = "Bom dia! Meu nome é *Admin* e vou continuar o seu atendimento.";

test("contacts get the customer notices of the single call, once, after the undo deadline (T-13, T-14)", async () => {
  const scenario = await aDesk();
  await bulk(scenario, { verb: "accept" });
  expect([await scenario.receivedTexts(maria), await scenario.receivedTexts(joao)]).toEqual([[], []]);
  await afterItsSeconds(scenario);
  await afterItsSeconds(scenario);
  expect([await scenario.receivedTexts(maria), await scenario.receivedTexts(joao)]).toEqual([[hello], [hello]]);

  await bulk(scenario, { verb: "transfer", queueId: scenario.support.id });
  await afterItsSeconds(scenario);
  const handed = "Seu atendimento foi transferido para *Suporte*. Aguarde um momento, por favor.";
  expect([await scenario.receivedTexts(maria), await scenario.receivedTexts(joao)]).toEqual([[handed], [handed]]);
});

test("a bulk transfer to a closed queue tells nobody to wait a moment (T-14, B-03)", async () => {
  const scenario = await aDesk();
  await scenario.saveSetting("scheduleType", "queue");
  await bulk(scenario, { verb: "accept" });
  await afterItsSeconds(scenario);
  await scenario.receivedTexts(maria);
  scenario.clock.advance({ hours: 10 });
  await bulk(scenario, { verb: "transfer", queueId: scenario.support.id });
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual([
    "Seu atendimento foi transferido para *Suporte*. Estamos fechados agora. Abrimos amanhã às 08:00. Pode escrever: a sua mensagem fica guardada.",
  ]);
});

test("an undone bulk sends no customer notice (T-10)", async () => {
  const scenario = await aDesk();
  await bulk(scenario, { verb: "accept" });
  await afterItsSeconds(scenario);
  await scenario.receivedTexts(maria);

  const bulkId = await bulk(scenario, { verb: "resolve" });
  expect((await scenario.admin.post(`/tickets/bulk/${bulkId}/undo`)).status).toBe(200);
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open" });

  await bulk(scenario, { verb: "resolve" });
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual(["Até logo, Maria!"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test("no late notice where the conversation went on: the agent wrote, or the contact came back (T-13, T-10)", async () => {
  const scenario = await aDesk();
  await bulk(scenario, { verb: "accept" });
  scenario.clock.advance({ seconds: 2 });
  const { id } = await scenario.ticketOf(maria);
  await scenario.admin.post(`/messages/${id}`, { body: "Sou a Ana" });
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual(["Sou a Ana"]);
  expect(await scenario.receivedTexts(joao)).toEqual([hello]);

  await bulk(scenario, { verb: "resolve" });
  scenario.clock.advance({ seconds: 2 });
  const menu = await scenario.sendTexts(maria, "mais uma coisa");
  expect(menu.join()).toContain("Bem-vindo");
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  expect(await scenario.receivedTexts(joao)).toEqual(["Até logo, Maria!"]);
});

test("no introduction in the middle of a conversation: the contact has answered what the agent wrote at once (T-13, T-14)", async () => {
  const scenario = await aDesk();
  const other = await aUser(scenario.company, { queues: [scenario.sales] });
  for (const [act, agent] of [
    [{ verb: "accept" }, scenario.admin],
    [{ verb: "transfer", userId: other.userId, queueId: scenario.sales.id }, scenario.app.as(other)],
  ] as const) {
    await bulk(scenario, act);
    const { id } = await scenario.ticketOf(maria);
    scenario.clock.advance({ seconds: 1 });
    expect((await agent.post(`/messages/${id}`, { body: "Em que posso ajudar?" })).status).toBe(200);
    scenario.clock.advance({ seconds: 1 });
    await scenario.sendTexts(maria, "quero um sofá");
    await afterItsSeconds(scenario);
    expect((await scenario.messagesOf(maria)).at(-1)?.body).toBe("quero um sofá");
    expect(await scenario.receivedTexts(joao)).toHaveLength(1);
  }
});

test("words of the product, which answer nobody, are no introduction (T-13)", async () => {
  const scenario = await aDesk();
  await bulk(scenario, { verb: "accept" });
  const { id } = await scenario.ticketOf(maria);
  scenario.clock.advance({ seconds: 1 });
  const reminder = toOutgoingMessages({ body: "Seu boleto venceu", voice: false }, []);
  await scenario.company.inside((ctx) => sendMessages(ctx, id, reminder, { isAutomatic: true }));
  await afterItsSeconds(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual(["Seu boleto venceu", hello]);
});
