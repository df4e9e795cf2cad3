import { contacts, queueOptions } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements } from "#server/platform/db/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, createBotScenario, inAnotherProcess, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const stop = "*[ sair ]* - Falar com um atendente";
const queueMenu = `Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
const ways = `*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial\n${stop}`;
const salesMenu = `Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Prazos\n\n${ways}`;

const again = `Desculpe, não entendi. Responda com o número de uma das opções:\n\n${queueMenu}`;

const by = (scenario: BotScenario, phone = maria) => scenario.ticketOf(phone);
const put = async (scenario: BotScenario, change: object) => {
  const { id } = await by(scenario);
  await scenario.admin.put(`/tickets/${id}`, change);
};

// The lengths of the last-message preview, and of the message text in the bot's state.
test.each([254, 499])(
  "an emoji that begins at character %i breaks neither preview nor bot state (W-08, Q-03)",
  async (letters) => {
    const scenario = await createBotScenario(fakeLineApp);
    const text = `${"x".repeat(letters)}😀 fim`;
    expect(await scenario.sendTexts(maria, text)).toEqual([queueMenu]);
    expect((await scenario.messagesOf(maria))[0]?.body).toBe(text);

    await put(scenario, { status: "open" });
    const { id } = await by(scenario);
    expect((await scenario.admin.post(`/messages/${id}`, { body: text })).status).toBe(200);
    expect((await by(scenario)).lastMessage).toBe(text.slice(0, letters === 254 ? 254 : 255));
  },
);

describe("a customer chooses a queue", () => {
  test("greeting, queue menu, options down to a leaf; then the ticket waits for an agent (Q-03, Q-04)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    expect(await scenario.sendTexts(maria, "oi")).toEqual([queueMenu]);
    expect(await by(scenario)).toMatchObject({ status: "pending", queueId: null, chatbot: true, unreadMessages: 1 });

    expect(await scenario.sendTexts(maria, "1")).toEqual([salesMenu]);
    expect(await by(scenario)).toMatchObject({ status: "pending", queueId: scenario.sales.id, chatbot: true });

    expect(await scenario.sendTexts(maria, "2")).toEqual(["Sobre Prazos"]);
    expect(await by(scenario)).toMatchObject({
      queueId: scenario.sales.id,
      chatbot: false,
      lastMessage: "Sobre Prazos",
    });
    expect(await scenario.sendTexts(maria, "obrigada")).toEqual([]);

    const messages = await scenario.messagesOf(maria);
    expect(messages.map(({ fromMe, isAutomatic }) => [fromMe, isAutomatic])).toEqual([
      ...[1, 2, 3].flatMap(() => [
        [false, false],
        [true, true],
      ]),
      [false, false],
    ]);
  });

  test("agents of the queue get the ticket when it is chosen, and lose it again with # (Q-04)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    const agent = await aUser(scenario.company, { queues: [scenario.support] });
    const seen = async () => {
      const { body } = await scenario.app.as(agent).get<{ tickets: unknown[] }>(`/tickets?status=pending`);
      return body.tickets.length;
    };
    await scenario.sendTexts(maria, "oi");
    expect(await seen()).toBe(0);
    await scenario.sendTexts(maria, "2");
    expect(await seen()).toBe(1);
    expect((await by(scenario)).chatbot).toBe(false);

    await scenario.sendTexts("5511900000002", "oi", "1", "#");
    expect(await by(scenario, "5511900000002")).toMatchObject({ queueId: null, chatbot: true });
  });

  test("wrong answers repeat the menu as often as the connection says, then the ticket waits for an agent (Q-05)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 2 });
    await scenario.sendTexts(maria, "oi");
    const sent: string[] = [];
    for (const text of ["quero falar", "alguém?", "e agora?", "1"]) {
      scenario.clock.advance({ minutes: 1 });
      sent.push(...(await scenario.sendTexts(maria, text)));
    }
    expect(sent).toEqual([again, again, expect.stringContaining("um atendente vai falar com você")]);
    expect(await by(scenario)).toMatchObject({ status: "pending", queueId: null, chatbot: false });
  });

  test("a menu is not repeated within the quiet time (Q-05)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { timeUseBotQueues: 10 });
    expect(await scenario.sendTexts(maria, "oi")).toEqual([queueMenu]);
    scenario.clock.advance({ minutes: 1 });
    expect(await scenario.sendTexts(maria, "a")).toEqual([]);
    scenario.clock.advance({ minutes: 10 });
    expect(await scenario.sendTexts(maria, "b")).toEqual([again]);
  });

  test("the out-of-hours message is sent once and the message stored; in the morning the menu is sent (Q-06, G-02)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { outOfHoursMessage: "Voltamos amanhã, {{firstName}}" });
    await scenario.saveSetting("scheduleType", "company");
    scenario.clock.advance({ hours: 13 });
    expect(await scenario.sendTexts(maria, "oi", "tem alguém?")).toEqual(["Voltamos amanhã, Maria"]);
    expect(await by(scenario)).toMatchObject({ status: "pending", chatbot: false, unreadMessages: 2 });
    scenario.clock.advance({ hours: 11 });
    expect(await scenario.sendTexts(maria, "bom dia")).toEqual([queueMenu]);
  });

  test("within the hour it is not sent again, though the conversation was resolved in between (Q-06)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.saveSetting("scheduleType", "company");
    scenario.clock.advance({ hours: 10 });
    expect(await scenario.sendTexts(maria, "oi")).toHaveLength(1);
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    scenario.clock.advance({ minutes: 31 });
    expect(await scenario.sendTexts(maria, "mais uma coisa", "alguém?")).toEqual([]);
    expect(await by(scenario)).toMatchObject({ status: "pending", userId: null });
    scenario.clock.advance({ minutes: 30 });
    expect(await scenario.sendTexts(maria, "oi")).toHaveLength(1);
  });

  test("the texts are in the language of the connection (Q-03)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { language: "es" });
    const menu = queueMenu.replace(stop, "*[ salir ]* - Hablar con una persona");
    expect(await scenario.sendTexts(maria, "hola", "salir")).toEqual([menu, expect.stringContaining("¡Listo!")]);
  });

  test("a connection without queues and texts sends nothing (Q-03)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
    expect(await scenario.sendTexts(maria, "oi", "sair")).toEqual([]);
  });
});

describe("who is not answered", () => {
  test("a customer whom an agent serves; after return the bot stays silent, a new episode starts it again (Q-04)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.sendTexts(maria, "oi");
    await put(scenario, { status: "open" });
    expect(await scenario.sendTexts(maria, "1")).toEqual([]);
    await put(scenario, { status: "pending" });
    expect(await scenario.sendTexts(maria, "1")).toEqual([]);
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    scenario.clock.advance({ hours: 1 });
    expect(await scenario.sendTexts(maria, "oi de novo")).toEqual([queueMenu]);
    expect(await by(scenario)).toMatchObject({ status: "pending", queueId: null, chatbot: true });
  });

  test("a customer whom a user put into a queue (T-14)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.sendTexts(maria, "oi");
    await put(scenario, { queueId: scenario.support.id, status: "pending" });
    expect(await scenario.sendTexts(maria, "1")).toEqual([]);
    expect(await by(scenario)).toMatchObject({ queueId: scenario.support.id, chatbot: false });
  });

  test("a message that could not be stored as it was: its answer may be why (W-08)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    const content = { kind: "unsupported", what: "unreadable" } as const;
    await scenario.receive([messageFrom(maria, content, scenario.clock.now(), { isQuarantined: true })]);
    expect(await scenario.receivedTexts(maria)).toEqual([]);
    expect(await by(scenario)).toMatchObject({ status: "pending", unreadMessages: 1 });
  });

  test("groups, messages from the owner's phone, blocked contacts (G-02)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.saveSetting("CheckMsgIsGroup", "disabled");
    const chat = { kind: "group", value: "12036302" } as const;
    const participant = { phone: maria, lid: null, name: "Maria" };
    await scenario.receive([messageFrom("", "oi grupo", scenario.clock.now(), { chat, participant })]);
    await scenario.receive([messageFrom(maria, "do telefone", scenario.clock.now(), { fromMe: true })]);
    expect(await scenario.receivedTexts(maria)).toEqual([]);

    const { contact } = await by(scenario);
    await scenario.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked: true } });
    expect(await scenario.sendTexts(maria, "oi")).toEqual([]);
    expect(scenario.line.sent).toEqual([]);
  });
});

describe("each turn is answered once", () => {
  test("a batch of one chat is one turn, beside that of another (Q-04, B-01)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    const other = "5511900000002";
    const at = scenario.clock.now();
    const texts = (phone: string, ...all: string[]) => all.map((text) => messageFrom(phone, text, at));
    const [a, b, c] = texts(maria, "oi", "bom dia", "1");
    const [d, e] = texts(other, "oi", "2");
    await scenario.receive([a!, d!, b!, e!, c!]);
    expect(await scenario.receivedTexts(maria)).toEqual([salesMenu]);
    expect(await scenario.receivedTexts(other)).toEqual(["Olá do Suporte"]);
  });

  test("however often WhatsApp delivers it (W-08, Q-03)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    const oi = messageFrom(maria, "oi", scenario.clock.now());
    await scenario.receive([oi, oi]);
    await scenario.receive([oi]);
    expect(await scenario.receivedTexts(maria)).toEqual([queueMenu]);
  });

  test("a placeholder is answered when its content arrives", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.sendTexts(maria, "oi");
    const placeholder = messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now());
    await scenario.receive([placeholder]);
    expect(await scenario.receivedTexts(maria)).toEqual([]);
    await scenario.receive([messageFrom(maria, "1", scenario.clock.now(), { waId: placeholder.message.waId })]);
    expect(await scenario.receivedTexts(maria)).toEqual([salesMenu]);
  });

  test("a process that dies before its commit leaves nothing; the next one continues the menu (Q-04)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.sendTexts(maria, "oi");
    const choice = messageFrom(maria, "1", scenario.clock.now());
    // Answered, but the transaction of the journal does not commit.
    await expect(scenario.receive([choice, lost])).rejects.toThrow("killed");
    expect(await scenario.receivedTexts(maria)).toEqual([]);
    expect(await by(scenario)).toMatchObject({ queueId: null, unreadMessages: 1 });

    const next = await inAnotherProcess(scenario);
    await next.receive([choice]);
    await next.receive([choice]);
    await next.sendTexts(maria, "2");
    expect(await scenario.receivedTexts(maria)).toEqual([salesMenu, "Sobre Prazos"]);
  });

  test("one that dies between commit and sending sends the menu once (Q-04)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.receive([messageFrom(maria, "oi", scenario.clock.now())]);
    scenario.line.onSend = () => {
      throw new Error("killed");
    };
    await scenario.app.settle();
    scenario.line.onSend = () => undefined;
    scenario.clock.advance({ minutes: 10 });
    expect(await (await inAnotherProcess(scenario)).receivedTexts(maria)).toEqual([queueMenu]);
    expect(await scenario.messagesOf(maria)).toHaveLength(2);
  });
});

/** An event that makes the transaction fail after all steps. */
const lost = {
  type: "status",
  status: 1,
  reason: null,
  get waIds(): readonly string[] {
    throw new Error("killed");
  },
} as const;

test("the file of an option is sent with its text, and outlives the option (Q-04)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const { body } = await scenario.admin.call(queueOptions.tree, { params: { id: scenario.sales.id } });
  const leaf = body.find(({ title }) => title === "Prazos")!;
  const form = new FormData();
  form.set("file", new File(["2 dias"], "prazos.csv"));
  await scenario.admin.post(`/queue-options/${leaf.id}/media-upload`, form);

  expect(await scenario.sendTexts(maria, "oi", "1", "2")).toEqual([queueMenu, salesMenu, "prazos.csv: Sobre Prazos"]);
  await scenario.admin.call(queueOptions.remove, { params: { id: leaf.id } });
  const last = (await scenario.messagesOf(maria)).at(-1)!;
  expect(last).toMatchObject({ body: "Sobre Prazos", media: { state: "ready", size: 6 } });
  expect((await scenario.admin.get(last.mediaUrl!)).status).toBe(200);
});

test("a message to an agent costs no statement for the bot; a bot turn costs a few more (Q-04)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const cost = async (text: string) => {
    const { statements } = await countStatements(() =>
      scenario.receive([messageFrom(maria, text, scenario.clock.now())]),
    );
    return statements.filter((each) => !/pg_notify|pg_snapshot/.test(each)).length;
  };
  await scenario.sendTexts(maria, "oi");
  const turn = await cost("1");
  await put(scenario, { status: "open" });
  const owned = await cost("olá");
  await put(scenario, { status: "pending" });
  expect(owned).toBeLessThanOrEqual(6);
  expect(await cost("ainda aí?")).toBe(owned);
  expect(turn).toBeLessThanOrEqual(owned + 8);
});
