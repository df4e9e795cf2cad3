import { contacts } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { lockTicket, placeTicket } from "#server/features/tickets/index.ts";
import { createFakeLineApp, createBotScenario, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";

/** Maria wrote, and got the menu. */
async function aDesk(options: Parameters<typeof createBotScenario>[1] = {}): Promise<BotScenario> {
  const scenario = await createBotScenario(fakeLineApp, options);
  await scenario.sendTexts(maria, "oi");
  return scenario;
}

/** The texts that the contact gets when the admin changes the ticket. */
async function put(scenario: BotScenario, change: object): Promise<string[]> {
  const { id } = await scenario.ticketOf(maria);
  expect((await scenario.admin.put(`/tickets/${id}`, change)).status).toBe(200);
  return scenario.receivedTexts(maria);
}

describe("on accept", () => {
  test("the agent is introduced where the setting is enabled, before their first message (T-13, G-02)", async () => {
    const scenario = await aDesk();
    expect(await put(scenario, { status: "open" })).toEqual([]);
    await put(scenario, { status: "pending" });
    await scenario.saveSetting("sendGreetingAccepted", "enabled");
    const { id } = await scenario.ticketOf(maria);
    await scenario.admin.put(`/tickets/${id}`, { status: "open" });
    await scenario.admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
    expect(await scenario.receivedTexts(maria)).toEqual([
      "Bom dia! Meu nome é *Admin* e vou continuar o seu atendimento.",
      "Em que posso ajudar?",
    ]);
    const [greeting] = (await scenario.messagesOf(maria)).slice(-2);
    expect(greeting).toMatchObject({ isAutomatic: true, user: null });
  });

  test("not in groups (T-13)", async () => {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.saveSetting("CheckMsgIsGroup", "disabled");
    await scenario.saveSetting("sendGreetingAccepted", "enabled");
    const chat = { kind: "group", value: "12036302" } as const;
    const participant = { phone: maria, lid: null, name: "Maria" };
    await scenario.receive([messageFrom("", "oi grupo", scenario.clock.now(), { chat, participant })]);
    const { body } = await scenario.admin.get<{ tickets: { id: number }[] }>("/tickets?status=pending&showAll=true");
    await scenario.admin.put(`/tickets/${body.tickets[0]!.id}`, { status: "open" });
    await scenario.app.settle();
    expect(scenario.line.sent).toEqual([]);
  });
});

describe("on transfer", () => {
  test("the contact gets a transfer notice where the setting is enabled (T-14, G-02)", async () => {
    const scenario = await aDesk({ language: "en" });
    await put(scenario, { status: "open" });
    expect(await put(scenario, { status: "pending", queueId: scenario.sales.id })).toEqual([]);
    await scenario.saveSetting("sendMsgTransfTicket", "enabled");
    expect(await put(scenario, { status: "pending", queueId: scenario.support.id })).toEqual([
      "Your conversation has been transferred to *Suporte*. Please wait a moment.",
    ]);
    const ana = await aUser(scenario.company, { name: "Ana", queues: [scenario.sales] });
    expect(await put(scenario, { userId: ana.userId, queueId: scenario.sales.id })).toEqual([
      "Your conversation has been transferred to *Ana*. Please wait a moment.",
    ]);
  });
});

describe("on transfer to a closed queue", () => {
  test.each([
    ["pt", "Seu atendimento foi transferido para *Suporte*. Estamos fechados agora. Abrimos amanhã às 08:00."],
    ["en", "Your conversation has been transferred to *Suporte*. We are closed now. We open tomorrow at 08:00."],
    ["es", "Su conversación fue transferida a *Suporte*. Ahora estamos cerrados. Abrimos mañana a las 08:00."],
  ] as const)(
    "the contact is not told to wait a moment, but when it opens, in %s (T-14, B-03)",
    async (language, text) => {
      const scenario = await aDesk({ language });
      await scenario.saveSetting("sendMsgTransfTicket", "enabled");
      await scenario.saveSetting("scheduleType", "queue");
      await put(scenario, { status: "open" });
      scenario.clock.advance({ hours: 10 });
      expect(await put(scenario, { status: "pending", queueId: scenario.support.id })).toEqual([
        expect.stringContaining(text),
      ]);
      const ana = await aUser(scenario.company, { name: "Ana", queues: [scenario.sales] });
      const [toAna] = await put(scenario, { userId: ana.userId, queueId: scenario.sales.id });
      expect(toAna).not.toMatch(/fechados|closed|cerrados/u);
    },
  );
});

describe("on resolve", () => {
  test("the farewell of the queue is sent, else that of the connection, else none (Q-09)", async () => {
    const silent = await aDesk();
    await put(silent, { status: "open" });
    expect(await put(silent, { status: "closed" })).toEqual([]);

    const scenario = await aDesk({ complationMessage: "Até logo, {{firstName}}!" });
    await put(scenario, { status: "open" });
    expect(await put(scenario, { status: "closed" })).toEqual(["Até logo, Maria!"]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });

    const { sales, admin } = scenario;
    await admin.put(`/queue/${sales.id}`, { complationMessage: "Vendas agradece" });
    await put(scenario, { status: "open", queueId: sales.id });
    expect(await put(scenario, { status: "closed" })).toEqual(["Vendas agradece"]);
  });

  test("with ratings enabled the contact is asked; 1 to 3 is stored, the farewell follows, the ticket stays closed (Q-09, G-02)", async () => {
    const scenario = await aDesk({ complationMessage: "Até logo!", ratingMessage: "De 1 a 3?" });
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    expect(await put(scenario, { status: "closed" })).toEqual(["De 1 a 3?"]);
    scenario.clock.advance({ minutes: 29 });
    expect(await scenario.sendTexts(maria, " 3 ")).toEqual(["Até logo!"]);
    const ticket = await scenario.ticketOf(maria);
    expect(ticket).toMatchObject({ status: "closed", lastMessage: "Até logo!" });
    const { body } = await scenario.admin.get(`/tickets/${ticket.id}/episodes`);
    expect(body).toMatchObject([{ rating: 3 }]);

    // One rating counts; the next message starts a new episode.
    expect(await scenario.sendTexts(maria, "1")).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", unreadMessages: 2 });
    const { body: after } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${ticket.id}/episodes`);
    expect(new Set(after.map(({ rating }) => rating))).toEqual(new Set([3, null]));
  });

  test.each([
    ["another text", "mais uma coisa", 5],
    ["a number too large", "4", 5],
    ["an answer after half an hour", "2", 31],
  ])("%s is no rating: a new conversation begins (Q-09)", async (_name, text, minutes) => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    expect(await put(scenario, { status: "closed" })).toEqual([expect.stringContaining("*3* - Muito satisfeito")]);
    scenario.clock.advance({ minutes });
    expect(await scenario.sendTexts(maria, text)).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", queueId: null, userId: null });
  });

  test("a rating and a new question in one batch get one answer: the menu (Q-09, B-01)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    const at = scenario.clock.now();
    await scenario.receive([messageFrom(maria, "2", at), messageFrom(maria, "outra coisa", at)]);
    expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining("Bem-vindo")]);
    const { id } = await scenario.ticketOf(maria);
    const { body } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
    expect(new Set(body.map(({ rating }) => rating))).toEqual(new Set([2, null]));
  });

  test.each([
    "2, mas ainda não recebi o código, podem reenviar?",
    "2\nquero saber do meu pedido",
    "2, cadê meu pedido",
  ])("a rating that asks for something is kept, and a new conversation begins: %j (B-02, Q-09)", async (text) => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    expect(await scenario.sendTexts(maria, text)).toEqual([expect.stringContaining("Bem-vindo")]);
    const { id, ...ticket } = await scenario.ticketOf(maria);
    expect(ticket).toMatchObject({ status: "pending", unreadMessages: 2 });
    const { body } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
    expect(new Set(body.map(({ rating }) => rating))).toEqual(new Set([2, null]));
  });

  test("the rating again with a question opens the conversation (B-02, Q-09)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    await scenario.sendTexts(maria, "2");
    expect(await scenario.sendTexts(maria, "2, e o código?")).toEqual([expect.stringContaining("Bem-vindo")]);
  });

  test("ratings are understood as people write them; thanks leave the window and the ticket closed (B-02, Q-09)", async () => {
    const scenario = await aDesk({ complationMessage: "Até logo!" });
    await scenario.saveSetting("userRating", "enabled");
    const rate = async (text: string) => {
      await put(scenario, { status: "open" });
      await put(scenario, { status: "closed" });
      scenario.clock.advance({ minutes: 1 });
      expect(await scenario.sendTexts(maria, "obrigada! 🙏")).toEqual([]);
      expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed", lastMessage: "obrigada! 🙏" });
      return scenario.sendTexts(maria, text);
    };
    for (const text of ["*2*", "3.", "três", "foi ótimo, nota 3", "3 - muito bom", "Satisfeito"]) {
      expect(await rate(text)).toEqual(["Até logo!"]);
      // Sent twice by an impatient finger.
      expect(await scenario.sendTexts(maria, text)).toEqual([]);
    }
    const { id } = await scenario.ticketOf(maria);
    const { body } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
    expect(body.filter(({ rating }) => rating === 3)).toHaveLength(4);
  });

  test("thanks and stickers after the closing text leave the ticket closed for half an hour (B-02, Q-09)", async () => {
    const scenario = await aDesk({ complationMessage: "Até logo!" });
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    scenario.clock.advance({ minutes: 10 });
    expect(await scenario.sendTexts(maria, "muito obrigada!", "👍")).toEqual([]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed", unreadMessages: 1 });
    expect(await scenario.sendTexts(maria, "obrigada, mas e o boleto?")).toEqual([
      expect.stringContaining("Bem-vindo"),
    ]);

    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    scenario.clock.advance({ minutes: 31 });
    expect(await scenario.sendTexts(maria, "obrigada")).toEqual([expect.stringContaining("Bem-vindo")]);
  });

  test.each([
    ["a rating", "3", "Atendimento encerrado. Obrigado pelo contato!", "closed"],
    ["no rating", "outra coisa", expect.stringContaining("Bem-vindo"), "pending"],
  ])("a placeholder is %s when its content arrives (Q-09, W-08)", async (_name, text, reply, status) => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    const placeholder = messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now());
    await scenario.receive([placeholder]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
    await scenario.receive([messageFrom(maria, text, scenario.clock.now(), { waId: placeholder.message.waId })]);
    expect(await scenario.receivedTexts(maria)).toEqual([reply]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status });
  });

  test("a placeholder without content opens the ticket after two minutes, once; a late rating still counts (Q-09, W-08)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    const placeholder = messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now());
    await scenario.receive([placeholder]);
    scenario.clock.advance({ minutes: 1 });
    await scenario.app.settle();
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
    scenario.clock.advance({ minutes: 1 });
    await scenario.app.settle();
    const ticket = await scenario.ticketOf(maria);
    expect(ticket).toMatchObject({ status: "pending", queueId: null, userId: null, unreadMessages: 2 });

    await scenario.receive([messageFrom(maria, "3", placeholder.message.at, { waId: placeholder.message.waId })]);
    expect(await scenario.receivedTexts(maria)).toEqual([]);
    const { body } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${ticket.id}/episodes`);
    expect(new Set(body.map(({ rating }) => rating))).toEqual(new Set([3, null]));
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", unreadMessages: 2 });
  });

  test.each([
    ["thanks", "obrigado!", [], "closed"],
    ["no thanks", "obrigado, e o boleto?", [expect.stringContaining("Bem-vindo")], "pending"],
  ])(
    "after an end without a request to rate a placeholder waits for its content, which is %s (Q-09, W-08)",
    async (_name, text, replies, status) => {
      const scenario = await aDesk();
      await put(scenario, { status: "open" });
      await put(scenario, { status: "closed" });
      const placeholder = messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now());
      await scenario.receive([placeholder]);
      expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
      await scenario.receive([messageFrom(maria, text, scenario.clock.now(), { waId: placeholder.message.waId })]);
      expect(await scenario.receivedTexts(maria)).toEqual(replies);
      expect(await scenario.ticketOf(maria)).toMatchObject({ status });
    },
  );

  test("a placeholder without content goes to the same agent where customers get theirs back (G-02, W-08)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("reopenToAgentMinutes", "10");
    await put(scenario, { status: "open" });
    const { userId } = await scenario.ticketOf(maria);
    await put(scenario, { status: "closed" });
    await scenario.receive([messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now())]);
    scenario.clock.advance({ minutes: 3 });
    await scenario.app.settle();
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open", userId });
  });

  test("a placeholder whose ticket an agent has handled opens nothing; content that arrives for a closed ticket does (W-08)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    await put(scenario, { status: "closed" });
    const placeholder = messageFrom(maria, { kind: "undecryptable" }, scenario.clock.now());
    await scenario.receive([placeholder]);
    await put(scenario, { status: "open" });
    await scenario.saveSetting("userRating", "disabled");
    await put(scenario, { status: "closed" });
    scenario.clock.advance({ minutes: 3 });
    await scenario.app.settle();
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });

    await scenario.receive([
      messageFrom(maria, "ainda preciso", placeholder.message.at, { waId: placeholder.message.waId }),
    ]);
    expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending" });
  });

  test("a blocked contact is not asked for a rating (Q-09)", async () => {
    const scenario = await aDesk();
    await scenario.saveSetting("userRating", "enabled");
    await put(scenario, { status: "open" });
    const { id, contact } = await scenario.ticketOf(maria);
    await scenario.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked: true } });
    expect(await put(scenario, { status: "closed" })).toEqual([]);
    scenario.clock.advance({ minutes: 1 });
    await scenario.sendTexts(maria, "3");
    expect(await scenario.ticketOf(maria)).toMatchObject({ id, status: "closed" });
  });
});

test("blocking closes the contact's pending ticket without a notice; unblocking makes it pending again (C-06)", async () => {
  const scenario = await aDesk({ complationMessage: "Até logo!" });
  const { id, contact } = await scenario.ticketOf(maria);
  const block = async (blocked: boolean) => {
    await scenario.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked } });
    return [await scenario.ticketOf(maria), await scenario.receivedTexts(maria)];
  };
  expect(await block(true)).toMatchObject([{ id, status: "closed" }, []]);
  expect(await block(true)).toMatchObject([{ status: "closed" }, []]);
  expect(await block(false)).toMatchObject([{ id, status: "pending" }, []]);

  await put(scenario, { status: "open" });
  expect(await block(true)).toMatchObject([{ status: "open" }, []]);
  await put(scenario, { status: "closed" });
  expect(await block(false)).toMatchObject([{ status: "closed" }, []]);
});

test("unblocking brings back no conversation that other software closed while it waited (C-06, X-01)", async () => {
  const scenario = await aDesk();
  const { id, contact } = await scenario.ticketOf(maria);
  const block = (blocked: boolean) =>
    scenario.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked } });
  const close = () =>
    scenario.company.inside(async (ctx) =>
      placeTicket(ctx, await lockTicket(ctx, id), { queueId: null, userId: null, closes: true }),
    );
  await close();
  await block(true);
  await block(false);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });

  // also where a block closed it before that
  await scenario.sendTexts(maria, "oi de novo");
  await block(true);
  await block(false);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending" });
  await close();
  await block(true);
  await block(false);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test("a contact who writes again within the configured minutes gets the same agent, without the bot (G-02)", async () => {
  const scenario = await aDesk();
  await scenario.saveSetting("reopenToAgentMinutes", "10");
  await put(scenario, { status: "open", queueId: scenario.sales.id });
  await put(scenario, { status: "closed" });
  const { userId } = await scenario.ticketOf(maria);
  scenario.clock.advance({ minutes: 9 });
  expect(await scenario.sendTexts(maria, "esqueci uma coisa")).toEqual([]);
  const ticket = await scenario.ticketOf(maria);
  expect(ticket).toMatchObject({ status: "open", userId, queueId: scenario.sales.id, unreadMessages: 2 });
  const { body } = await scenario.admin.get<unknown[]>(`/tickets/${ticket.id}/episodes`);
  expect(body).toHaveLength(2);

  await put(scenario, { status: "closed" });
  scenario.clock.advance({ minutes: 11 });
  expect(await scenario.sendTexts(maria, "mais uma")).toEqual([expect.stringContaining("Bem-vindo")]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", userId: null, queueId: null });
});
