import { prompts, queues } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import type { Content } from "#server/whatsapp/port.ts";
import type { AssistantReply } from "../bot.script.ts";
import { botFeature } from "../feature.ts";
import { pauseAskedFor } from "./index.ts";
import type { AssistantDriver, AssistantRequest } from "./index.ts";

/** A stand-in assistant: remembers what it was asked, and answers as the test wants. */
const asked: AssistantRequest[] = [];
let answer: (request: AssistantRequest) => Promise<AssistantReply>;
const standIn: AssistantDriver = {
  answer(request) {
    asked.push(request);
    return answer(request);
  },
};
const says = (text: string, more: Partial<AssistantReply> = {}): AssistantReply => {
  return { messages: [{ text, media: null, fileListId: null }], handsOver: false, ...more };
};
beforeEach(() => {
  asked.length = 0;
  answer = ({ said }) => Promise.resolve(says(`Ouvi: ${said.map(({ text }) => text).join(" + ")}`));
});

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  const feature = botFeature({ prompt: () => standIn });
  fakeLineApp = await createFakeLineApp(createMessagesFeature, { feature, assistants: ["prompt"] });
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";

/** A line whose conversations an assistant has from the start. */
async function aLine(
  options: Parameters<typeof createBotScenario>[1] = {},
): Promise<BotScenario & { promptId: number }> {
  const scenario = await createBotScenario(fakeLineApp, options);
  const body = { name: "Lia", prompt: "Ajude a comprar", queueId: scenario.sales.id };
  const promptId = (await scenario.admin.call(prompts.create, { body })).body.id;
  await scenario.admin.put(`/whatsapp/${scenario.connection.id}`, { promptId });
  return { ...scenario, promptId };
}

test("keeps the conversation over several turns, with all that was said and the ids of media (B-04)", async () => {
  const scenario = await aLine();
  expect(await scenario.sendTexts(maria, "oi")).toEqual(["Ouvi: oi"]);
  expect(asked[0]).toMatchObject({ assistantId: scenario.promptId, connectionId: scenario.connection.id });
  expect(await scenario.ticketOf(maria)).toMatchObject({
    status: "pending",
    chatbot: true,
    promptId: scenario.promptId,
  });

  const at = scenario.clock.now();
  const photo: Content = {
    kind: "image",
    caption: "este",
    fileName: null,
    mimeType: "image/jpeg",
    size: 10,
    width: null,
    height: null,
    seconds: null,
    isVoice: false,
    thumbnail: null,
    source: {},
  };
  await scenario.receive([messageFrom(maria, "tem", at), messageFrom(maria, photo, at)]);
  expect(await scenario.receivedTexts(maria)).toEqual(["Ouvi: tem + este"]);
  const [text, picture] = asked[1]!.said;
  expect([text?.mediaId, picture?.kind]).toEqual([null, "image"]);
  expect(picture?.mediaId).toBe(picture?.messageId);
});

test("what arrives while it thinks is answered together, afterwards (B-04)", async () => {
  const scenario = await aLine();
  answer = async ({ said }) => {
    if (asked.length === 1) {
      const at = scenario.clock.now();
      await scenario.receive([messageFrom(maria, "em azul", at)]);
      await scenario.receive([messageFrom(maria, "grande", at)]);
    }
    return says(said.map(({ text }) => text).join(" + "));
  };
  expect(await scenario.sendTexts(maria, "tem sofá?")).toEqual(["tem sofá?", "em azul + grande"]);
});

test("a question whose conversation is merged into a resolved one while it thinks is answered there (B-04, W-10)", async () => {
  const scenario = await aLine();
  await scenario.sendTexts(maria, "oi");
  const { id } = await scenario.ticketOf(maria);
  await accept(scenario);
  await scenario.admin.put(`/tickets/${id}`, { status: "closed" });
  await scenario.receivedTexts(maria);
  answer = async ({ said, ticketId }) => {
    if (ticketId !== id) {
      await scenario.receive([{ type: "identity", phone: maria, lid: "777" }]);
    }
    return says(said.map(({ text }) => `Ouvi: ${text}`).join());
  };
  const unknown = { chat: { kind: "lid", value: "777" }, person: { phone: null, lid: "777" } } as const;
  await scenario.receive([messageFrom(maria, "tem sofá?", scenario.clock.now(), unknown)]);
  await scenario.app.settle();
  expect((await scenario.messagesOf(maria)).map(({ body }) => body).slice(-2)).toEqual([
    "tem sofá?",
    "Ouvi: tem sofá?",
  ]);
});

test("one that ends the conversation is asked about what arrived while it thought, and ends it then (O-09, B-04)", async () => {
  const scenario = await aLine();
  answer = async ({ said }) => {
    if (asked.length === 1) {
      await scenario.receive([messageFrom(maria, "espera, e amanhã?", scenario.clock.now())]);
    }
    return says(said.map(({ text }) => `Ouvi: ${text}`).join(), { closes: true });
  };
  expect(await scenario.sendTexts(maria, "tchau")).toEqual(["Ouvi: tchau", "Ouvi: espera, e amanhã?"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test.each([
  ["the customer goes to the menu", "#", (_: BotScenario) => Promise.resolve(), "*[ 1 ]* - Vendas"],
  ["the customer wants a person", "atendente", (_: BotScenario) => Promise.resolve(), "um atendente vai falar"],
  ["an agent accepts", undefined, accept, undefined],
])("an answer that comes after %s is dropped (B-04)", async (_, text, act, said) => {
  const scenario = await aLine();
  answer = async () => {
    if (text !== undefined) {
      await scenario.receive([messageFrom(maria, text, scenario.clock.now())]);
    }
    await act(scenario);
    return says("tarde demais");
  };
  expect(await scenario.sendTexts(maria, "oi")).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
  expect(asked).toHaveLength(1);
});

async function accept(scenario: BotScenario): Promise<void> {
  const { id } = await scenario.ticketOf(maria);
  expect((await scenario.admin.put(`/tickets/${id}`, { status: "open" })).status).toBe(200);
}

test("hands over to a queue, and is not asked again; the ways back stay open (B-04, B-03)", async () => {
  const scenario = await aLine();
  answer = () => Promise.resolve(says("Vou chamar alguém", { handsOver: true, queueId: scenario.support.id }));
  expect(await scenario.sendTexts(maria, "quero reclamar")).toEqual(["Vou chamar alguém"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({
    queueId: scenario.support.id,
    chatbot: false,
    promptId: null,
  });
  expect(await scenario.sendTexts(maria, "oi?")).toEqual([]);
  expect(await scenario.sendTexts(maria, "#")).toEqual([expect.stringContaining("*[ 1 ]* - Vendas")]);
  expect(asked).toHaveLength(1);
});

test("gives the conversation to an agent, or resolves it after its words; messages with a pause wait their time (O-09)", async () => {
  const scenario = await aLine();
  const { userId } = scenario.company.admin;
  answer = () => Promise.resolve(says("Já chamo", { handsOver: true, userId }));
  expect(await scenario.sendTexts(maria, "quero a gerente")).toEqual(["Já chamo"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open", userId, chatbot: false, promptId: null });

  const jose = "5511977776666";
  const [first, second] = ["Até logo", "Volte sempre"].map((text) => ({ text, media: null, fileListId: null }));
  answer = () =>
    Promise.resolve({ messages: [first!, { ...second!, delayMs: 1_500 }], handsOver: false, closes: true });
  expect(await scenario.sendTexts(jose, "era só isso")).toEqual(["Até logo"]);
  expect(scenario.line.typing.at(-1)).toMatchObject({ isTyping: true });
  scenario.clock.advance({ seconds: 2 });
  expect(await scenario.receivedTexts(jose)).toEqual(["Volte sempre"]);
  expect((await scenario.messagesOf(jose)).map(({ body }) => body)).toEqual([
    "era só isso",
    "Até logo",
    "Volte sempre",
  ]);
  expect(await scenario.ticketOf(jose)).toMatchObject({ status: "closed", chatbot: false, promptId: null });
});

test.each([
  ["resolves it", () => ({ closes: true }), { status: "closed", queueId: null }],
  [
    "gives it to an agent",
    ({ company }: BotScenario) => ({ handsOver: true, userId: company.admin.userId }),
    { status: "open", queueId: null },
  ],
  [
    "names the queue and an agent who are gone",
    ({ support }: BotScenario) => ({ handsOver: false, queueId: support.id, userId: 2_000_000_000 }),
    { status: "pending", queueId: null, userId: null, chatbot: false },
  ],
])(
  "the answer of an assistant whose queue is deleted while it thinks is said, and it %s (O-09, Q-01)",
  async (_, more, is) => {
    const scenario = await createBotScenario(fakeLineApp);
    const body = { name: "Lia", prompt: "Ajude", queueId: scenario.sales.id };
    const promptId = (await scenario.admin.call(prompts.create, { body })).body.id;
    await scenario.admin.call(queues.update, { params: { id: scenario.support.id }, body: { promptId } });
    answer = async () => {
      const { status } = await scenario.admin.call(queues.remove, { params: { id: scenario.support.id } });
      expect(status).toBe(200);
      return says("Pronto", more(scenario));
    };
    await scenario.sendTexts(maria, "oi", "2");
    expect(await scenario.sendTexts(maria, "quero cancelar")).toEqual(["Pronto"]);
    expect(await scenario.ticketOf(maria)).toMatchObject(is);
  },
);

const ticketPut = (change: (scenario: BotScenario) => object) => async (scenario: BotScenario) => {
  const { id } = await scenario.ticketOf(maria);
  expect((await scenario.admin.put(`/tickets/${id}`, change(scenario))).status).toBe(200);
};

test.each([
  ["a person accepts", ticketPut(() => ({ status: "open" })), ["Meu nome é *Admin*"]],
  ["a person transfers the conversation", ticketPut(({ support }) => ({ queueId: support.id })), []],
  [
    "a person accepts it with others",
    async (scenario: BotScenario) => {
      const { id } = await scenario.ticketOf(maria);
      const act = { verb: "accept" };
      expect((await scenario.admin.post("/tickets/bulk", { ticketIds: [id], act })).status).toBe(200);
    },
    [],
  ],
  [
    "the customer goes to the menu",
    (scenario: BotScenario) => scenario.receive([messageFrom(maria, "#", scenario.clock.now())]),
    ["*[ 1 ]* - Vendas"],
  ],
])("what it has still to say when %s is withdrawn, and holds up nothing (B-04, T-12)", async (_, act, said) => {
  const scenario = await aLine();
  await scenario.saveSetting("sendGreetingAccepted", "enabled");
  const [first, second, third] = ["Um", "Dois", "Três"].map((text) => ({ text, media: null, fileListId: null }));
  answer = () => Promise.resolve({ messages: [first!, { ...second!, delayMs: 30_000 }, third!], handsOver: false });
  expect(await scenario.sendTexts(maria, "oi")).toEqual(["Um"]);

  scenario.clock.advance({ seconds: 2 });
  await act(scenario);
  expect(await scenario.receivedTexts(maria)).toEqual(said.map((text) => expect.stringContaining(text)));
  const messages = await scenario.messagesOf(maria);
  const texts = (isDeleted: boolean) => messages.filter((each) => each.isDeleted === isDeleted).map(({ body }) => body);
  expect([texts(true).length, texts(false).slice(0, 2)]).toEqual([2, ["oi", "Um"]]);
  scenario.clock.advance({ minutes: 1 });
  expect(await scenario.receivedTexts(maria)).not.toEqual(expect.arrayContaining(["Dois"]));
});

test("what it has still to say is said when the acceptance of many is undone, and not what the phone may have (B-04, T-10)", async () => {
  const scenario = await aLine();
  const parts = ["Um", "Dois", "Três", "Quatro"].map((text) => ({ text, media: null, fileListId: null }));
  const [first, second, ...rest] = parts;
  answer = () => Promise.resolve({ messages: [first!, { ...second!, delayMs: 15_000 }, ...rest], handsOver: false });
  expect(await scenario.sendTexts(maria, "oi")).toEqual(["Um"]);
  const { id } = await scenario.ticketOf(maria);
  const accepted = { ticketIds: [id], act: { verb: "accept" } };
  const { bulkId } = (await scenario.admin.post<{ bulkId: string }>("/tickets/bulk", accepted)).body;
  await scenario.app.settle();
  await scenario.company.inside(({ db }) =>
    sql`insert into sent_payloads (company_id, connection_id, wa_id, payload)
      select company_id, connection_id, wa_id, '' from messages where ticket_id = ${id} and body = 'Três'`.execute(db),
  );

  const undone = await scenario.admin.post<{ tickets: object[] }>(`/tickets/bulk/${bulkId}/undo`);
  expect(undone.body.tickets).toMatchObject([{ status: "pending", chatbot: true, lastMessage: "Quatro" }]);
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ seconds: 16 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Dois", "Quatro"]);
  expect((await scenario.messagesOf(maria)).filter(({ isDeleted }) => isDeleted).map(({ body }) => body)).toEqual([
    "Três",
  ]);
});

test("one that fails is asked again, and then a person is called (B-04, B-03)", async () => {
  const scenario = await aLine();
  answer = () => Promise.reject(new Error("the model is down"));
  await scenario.sendTexts(maria, "oi");
  for (let second = 0; second < 5; second += 1) {
    scenario.clock.advance({ seconds: 2 });
    await scenario.app.settle();
  }
  expect(asked).toHaveLength(3);
  expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining("um atendente vai falar com você")]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", chatbot: false });
});

test("a customer who goes on writing while it fails is given a person too (B-04, B-03)", async () => {
  const scenario = await aLine();
  answer = () => Promise.reject(new Error("the model is down"));
  for (let minute = 0; minute < 4; minute += 1) {
    await scenario.sendTexts(maria, `alô? ${minute}`);
    scenario.clock.advance({ minutes: 1 });
  }
  await scenario.app.settle();
  expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining("um atendente vai falar com você")]);
});

/** Asks for a pause at the first try, and answers at the second. */
const pausesOnce = (scenario: BotScenario) => {
  asked.length = 0;
  return async (request: AssistantRequest) => {
    const pause = pauseAskedFor(5_000, request, scenario.clock.now(), "limited");
    if (asked.length === 1) {
      throw pause ?? new Error("limited");
    }
    return says(`Ouvi: ${request.said.map(({ text }) => text).join(" + ")}`);
  };
};
const tries = () => asked.map(({ isLastTry }) => isLastTry);

test("what was said out of hours the night before costs no patience in the morning (B-04, Q-06)", async () => {
  const scenario = await aLine();
  const { clock } = scenario;
  await scenario.saveSetting("scheduleType", "company");
  await scenario.sendTexts(maria, "oi");
  clock.advance({ hours: 12 });
  await scenario.sendTexts(maria, "alô?");
  clock.advance({ hours: 10, minutes: 5 });

  answer = pausesOnce(scenario);
  const said = await scenario.sendTexts(maria, "bom dia");
  clock.advance({ seconds: 7 });
  said.push(...(await scenario.receivedTexts(maria)));
  expect([said, tries()]).toEqual([["Ouvi: alô? + bom dia"], [false, false]]);

  // and a second turn of the morning has a patience of its own
  clock.advance({ minutes: 20 });
  answer = pausesOnce(scenario);
  said.push(...(await scenario.sendTexts(maria, "e agora?")));
  clock.advance({ seconds: 7 });
  expect([await scenario.receivedTexts(maria), tries()]).toEqual([["Ouvi: e agora?"], [false, false]]);
});

test("a customer of a prompt that was deleted is answered and stored out of hours (B-04, Q-06, W-08)", async () => {
  const scenario = await aLine({ outOfHoursMessage: "Voltamos amanhã" });
  await scenario.saveSetting("scheduleType", "company");
  await scenario.sendTexts(maria, "oi");
  const { promptId, clock } = scenario;
  expect((await scenario.admin.call(prompts.remove, { params: { id: promptId } })).status).toBe(200);
  clock.advance({ hours: 13 });
  expect(await scenario.sendTexts(maria, "e agora?")).toEqual(["Voltamos amanhã"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ promptId: null, lastMessage: "Voltamos amanhã" });

  // In the morning the menu takes over.
  clock.advance({ hours: 11 });
  expect(await scenario.sendTexts(maria, "bom dia")).toEqual([expect.stringContaining("*[ 1 ]* - Vendas")]);
});

test("what comes late, because the line was down, has the tries and pauses of other messages (B-04)", async () => {
  const scenario = await aLine();
  const { clock } = scenario;
  answer = pausesOnce(scenario);
  await scenario.receive([messageFrom(maria, "oi", new Date(clock.now().getTime() - 10 * 60_000))]);
  const said = await scenario.receivedTexts(maria);
  clock.advance({ seconds: 7 });
  said.push(...(await scenario.receivedTexts(maria)));
  expect([said, tries()]).toEqual([["Ouvi: oi"], [false, false]]);
});

test("of a queue answers once it is chosen, after the queue's greeting (B-04)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const body = { name: "Lia", prompt: "Ajude", queueId: scenario.sales.id };
  const promptId = (await scenario.admin.call(prompts.create, { body })).body.id;
  await scenario.admin.call(queues.update, { params: { id: scenario.sales.id }, body: { promptId } });
  const [menu, greeting, ...answers] = await scenario.sendTexts(maria, "oi", "1", "quanto custa?");
  expect(menu).toContain("*[ 1 ]* - Vendas");
  expect([greeting, answers]).toEqual(["Olá de Vendas", ["Ouvi: quanto custa?"]]);
});
