import { queueOptions, scheduledMessages } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aContact, aUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const text = "{{ms}}, {{primeiro_nome}} ({{ Name }})! São {{hora}} de {{data}}, protocolo {{protocolo}}. {{código}}";
const resolved = (at: string) =>
  new RegExp(
    String.raw`(Bom dia|Boa tarde|Boa noite), Maria \(Maria Lima\)! São ${at} de \d\d/\d\d/\d{4}, protocolo \d{10,}\. \{\{código\}\}`,
  );

interface Row {
  /** Which text of the bot. */
  readonly of: string;
  /** Makes the bot say the text; returns what the customer's phone received. */
  readonly say: (scenario: BotScenario) => Promise<string[]>;
  /** Time on the company's clock; the scenario starts at 10:00. */
  readonly at?: string;
}

const rows: readonly Row[] = [
  { of: "greeting of the connection", say: (scenario) => afterSaving(scenario, { greetingMessage: text }, "oi") },
  {
    of: "greeting of the queue",
    say: (scenario) => afterSavingQueue(scenario, { greetingMessage: text }, "oi", "2"),
  },
  {
    of: "option above others",
    async say(scenario) {
      await addOption(scenario, { message: "Abaixo", parentId: (await addOption(scenario, { message: text })).id });
      return scenario.sendTexts(maria, "oi", "2", "1");
    },
  },
  {
    of: "option that is a leaf",
    async say(scenario) {
      await addOption(scenario, { message: text });
      return scenario.sendTexts(maria, "oi", "2", "1");
    },
  },
  {
    of: "caption of an option's file",
    async say(scenario) {
      const { id } = await addOption(scenario, { message: text });
      const form = new FormData();
      form.set("file", new File(["mensal;10"], "tabela.csv"));
      await scenario.admin.post(`/queue-options/${id}/media-upload`, form);
      return scenario.sendTexts(maria, "oi", "2", "1");
    },
  },
  {
    of: "out-of-hours message of the connection",
    at: "23:00",
    async say(scenario) {
      await scenario.saveSetting("scheduleType", "company");
      scenario.clock.advance({ hours: 13 });
      return afterSaving(scenario, { outOfHoursMessage: text }, "oi");
    },
  },
  {
    of: "out-of-hours message of the queue",
    at: "23:00",
    async say(scenario) {
      await scenario.saveSetting("scheduleType", "queue");
      scenario.clock.advance({ hours: 13 });
      return afterSavingQueue(scenario, { outOfHoursMessage: text }, "oi", "2");
    },
  },
  {
    of: "closing message of the connection",
    async say(scenario) {
      await afterSaving(scenario, { complationMessage: text }, "oi");
      return afterMoves(scenario, { status: "open" }, { status: "closed" });
    },
  },
  {
    of: "closing message of the queue",
    async say(scenario) {
      await afterSavingQueue(scenario, { complationMessage: text }, "oi", "2");
      return afterMoves(scenario, { status: "open" }, { status: "closed" });
    },
  },
  {
    of: "rating message of the connection",
    async say(scenario) {
      await scenario.saveSetting("userRating", "enabled");
      await afterSaving(scenario, { ratingMessage: text }, "oi");
      return afterMoves(scenario, { status: "open" }, { status: "closed" });
    },
  },
  {
    of: "rating message of the queue",
    async say(scenario) {
      await scenario.saveSetting("userRating", "enabled");
      await afterSavingQueue(scenario, { ratingMessage: text }, "oi", "2");
      return afterMoves(scenario, { status: "open" }, { status: "closed" });
    },
  },
  {
    of: "closing message after a rating",
    async say(scenario) {
      await scenario.saveSetting("userRating", "enabled");
      await afterSaving(scenario, { complationMessage: text }, "oi");
      await afterMoves(scenario, { status: "open" }, { status: "closed" });
      return scenario.sendTexts(maria, "3");
    },
  },
  {
    of: "message on closing for inactivity",
    at: "10:05",
    async say(scenario) {
      await afterSaving(scenario, { expiresTicket: 3, expiresInactiveMessage: text }, "oi");
      await afterMoves(scenario, { status: "open" });
      const { id } = await scenario.ticketOf(maria);
      await scenario.admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
      await scenario.receivedTexts(maria);
      scenario.clock.advance({ minutes: 5 });
      return scenario.receivedTexts(maria);
    },
  },
  {
    of: "scheduled message",
    at: "11:00",
    async say(scenario) {
      await scenario.sendTexts(maria, "oi");
      await schedule(scenario, text);
      scenario.clock.advance({ hours: 1 });
      return scenario.receivedTexts(maria);
    },
  },
];

test.each(rows)("variables are resolved in the $of (B-05)", async ({ say, at = "10:00" }) => {
  const scenario = await aScenarioWithMaria();
  expect((await say(scenario)).join("\n")).toMatch(resolved(at));
});

test("the notices on accept and on transfer have their variables resolved (B-05)", async () => {
  const scenario = await aScenarioWithMaria();
  await scenario.saveSetting("sendGreetingAccepted", "enabled");
  await scenario.saveSetting("sendMsgTransfTicket", "enabled");
  await scenario.sendTexts(maria, "oi");
  expect(await afterMoves(scenario, { status: "open" })).toEqual([
    "Bom dia! Meu nome é *Admin* e vou continuar o seu atendimento.",
  ]);
  expect(await afterMoves(scenario, { status: "pending", queueId: scenario.support.id })).toEqual([
    "Seu atendimento foi transferido para *Suporte*. Aguarde um momento, por favor.",
  ]);
});

test("the queue, the agent and the company are variables (B-05)", async () => {
  const scenario = await aScenarioWithMaria();
  const said = await afterSavingQueue(
    scenario,
    { greetingMessage: "{{fila}} da {{empresa}}: fale com {{atendente}}!", complationMessage: "{{agent}} agradece" },
    "oi",
    "2",
  );
  expect(said.at(-1)).toContain(`Suporte da ${scenario.company.name}: fale com!`);
  expect(await afterMoves(scenario, { status: "open" }, { status: "closed" })).toEqual(["Admin agradece"]);
});

test("the agent of a scheduled message is its author, whoever serves the conversation (B-05)", async () => {
  const scenario = await aScenarioWithMaria();
  await scenario.sendTexts(maria, "oi");
  await schedule(scenario, "Aqui é {{atendente}}");
  const ana = await aUser(scenario.company, { name: "Ana", queues: [scenario.support] });
  await afterMoves(scenario, { status: "open", queueId: scenario.support.id, userId: ana.userId });
  scenario.clock.advance({ hours: 1 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Aqui é Admin"]);
});

test("nobody is greeted by a number, and no comma stays behind (B-05)", async () => {
  const scenario = await createBotScenario(fakeLineApp, {
    hasQueues: false,
    greetingMessage: "Olá, {{firstName}}! Como vai?",
  });
  await aContact(scenario.company, { name: maria, number: maria });
  expect(await scenario.sendTexts(maria, "oi")).toEqual(["Olá! Como vai?"]);
});

async function aScenarioWithMaria(): Promise<BotScenario> {
  const scenario = await createBotScenario(fakeLineApp);
  await aContact(scenario.company, { name: "Maria Lima", number: maria });
  return scenario;
}

async function addOption({ admin, support }: BotScenario, option: { message: string; parentId?: number }) {
  const body = { queueId: support.id, parentId: null, title: "Opção", ...option };
  return (await admin.call(queueOptions.create, { body })).body;
}

/** The admin schedules a message to Maria in an hour. */
async function schedule(scenario: BotScenario, body: string): Promise<void> {
  const { contactId } = await scenario.ticketOf(maria);
  const sendAt = new Date(scenario.clock.now().getTime() + 3_600_000).toISOString();
  const made = await scenario.admin.call(scheduledMessages.create, { body: { body, contactId, sendAt } });
  expect(made.status).toBe(200);
}

async function afterSaving(scenario: BotScenario, fields: object, ...texts: string[]): Promise<string[]> {
  expect((await scenario.admin.put(`/whatsapp/${scenario.connection.id}`, fields)).status).toBe(200);
  return scenario.sendTexts(maria, ...texts);
}

async function afterSavingQueue(scenario: BotScenario, fields: object, ...texts: string[]): Promise<string[]> {
  expect((await scenario.admin.put(`/queue/${scenario.support.id}`, fields)).status).toBe(200);
  return scenario.sendTexts(maria, ...texts);
}

/** What Maria receives while the admin moves the ticket. */
async function afterMoves(scenario: BotScenario, ...moves: readonly object[]): Promise<string[]> {
  const { id } = await scenario.ticketOf(maria);
  for (const move of moves) {
    expect((await scenario.admin.put(`/tickets/${id}`, move)).status).toBe(200);
  }
  return scenario.receivedTexts(maria);
}
