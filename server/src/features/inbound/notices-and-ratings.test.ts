import { contacts } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { aHouse, conversations, messageFrom } from "#server/testing/conversations.ts";
import type { Conversations, House } from "#server/testing/conversations.ts";
import { aUser } from "#server/testing/factories.ts";

let house: House;
beforeAll(async () => {
  house = await aHouse(createMessagesFeature);
});
afterAll(() => house.app.close());

const maria = "5511988887777";

/** Maria wrote, and heard the menu. */
async function aDesk(wishes: Parameters<typeof conversations>[1] = {}): Promise<Conversations> {
  const talk = await conversations(house, wishes);
  await talk.says(maria, "oi");
  return talk;
}

/** What the contact hears when the admin changes the ticket. */
async function put(talk: Conversations, change: object): Promise<string[]> {
  const { id } = await talk.ticketOf(maria);
  expect((await talk.admin.put(`/tickets/${id}`, change)).status).toBe(200);
  return talk.hears(maria);
}

describe("on accept", () => {
  test("the agent is introduced where the company wishes it, before what they write themselves (T-13, G-02)", async () => {
    const talk = await aDesk();
    expect(await put(talk, { status: "open" })).toEqual([]);
    await put(talk, { status: "pending" });
    await talk.save("sendGreetingAccepted", "enabled");
    const { id } = await talk.ticketOf(maria);
    await talk.admin.put(`/tickets/${id}`, { status: "open" });
    await talk.admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
    expect(await talk.hears(maria)).toEqual([
      "Bom dia! Meu nome é *Admin* e vou continuar o seu atendimento.",
      "Em que posso ajudar?",
    ]);
    const [greeting] = (await talk.messagesOf(maria)).slice(-2);
    expect(greeting).toMatchObject({ isAutomatic: true, user: null });
  });

  test("not in groups (T-13)", async () => {
    const talk = await conversations(house);
    await talk.save("CheckMsgIsGroup", "disabled");
    await talk.save("sendGreetingAccepted", "enabled");
    const chat = { kind: "group", value: "12036302" } as const;
    const participant = { phone: maria, lid: null, name: "Maria" };
    await talk.receive([messageFrom("", "oi grupo", talk.clock.now(), { chat, participant })]);
    const { body } = await talk.admin.get<{ tickets: { id: number }[] }>("/tickets?status=pending&showAll=true");
    await talk.admin.put(`/tickets/${body.tickets[0]!.id}`, { status: "open" });
    await talk.app.settle();
    expect(talk.line.sent).toEqual([]);
  });
});

describe("on transfer", () => {
  test("the contact is told whom they will hear from, where the company wishes it (T-14, G-02)", async () => {
    const talk = await aDesk({ language: "en" });
    await put(talk, { status: "open" });
    expect(await put(talk, { status: "pending", queueId: talk.sales.id })).toEqual([]);
    await talk.save("sendMsgTransfTicket", "enabled");
    expect(await put(talk, { status: "pending", queueId: talk.support.id })).toEqual([
      "Your conversation has been transferred to *Suporte*. Please wait a moment.",
    ]);
    const ana = await aUser(talk.company, { name: "Ana", queues: [talk.sales] });
    expect(await put(talk, { userId: ana.userId, queueId: talk.sales.id })).toEqual([
      "Your conversation has been transferred to *Ana*. Please wait a moment.",
    ]);
  });
});

describe("on resolve", () => {
  test("the queue's last word is said, else the connection's, else none (Q-09)", async () => {
    const silent = await aDesk();
    await put(silent, { status: "open" });
    expect(await put(silent, { status: "closed" })).toEqual([]);

    const talk = await aDesk({ complationMessage: "Até logo, {{firstName}}!" });
    await put(talk, { status: "open" });
    expect(await put(talk, { status: "closed" })).toEqual(["Até logo, Maria!"]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });

    const { sales, admin } = talk;
    await admin.put(`/queue/${sales.id}`, { complationMessage: "Vendas agradece" });
    await put(talk, { status: "open", queueId: sales.id });
    expect(await put(talk, { status: "closed" })).toEqual(["Vendas agradece"]);
  });

  test("with ratings on the contact is asked; 1 to 3 is kept, the last word follows, the ticket stays closed (Q-09, G-02)", async () => {
    const talk = await aDesk({ complationMessage: "Até logo!", ratingMessage: "De 1 a 3?" });
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    expect(await put(talk, { status: "closed" })).toEqual(["De 1 a 3?"]);
    talk.clock.advance({ minutes: 29 });
    expect(await talk.says(maria, " 3 ")).toEqual(["Até logo!"]);
    const ticket = await talk.ticketOf(maria);
    expect(ticket).toMatchObject({ status: "closed", lastMessage: "Até logo!" });
    const { body } = await talk.admin.get(`/tickets/${ticket.id}/episodes`);
    expect(body).toMatchObject([{ rating: 3 }]);

    // One answer counts; the next word is a new conversation.
    expect(await talk.says(maria, "1")).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending", unreadMessages: 2 });
    const { body: after } = await talk.admin.get<{ rating: number | null }[]>(`/tickets/${ticket.id}/episodes`);
    expect(new Set(after.map(({ rating }) => rating))).toEqual(new Set([3, null]));
  });

  test.each([
    ["another text", "obrigada", 5],
    ["a number too large", "4", 5],
    ["an answer after half an hour", "2", 31],
  ])("%s is no rating: a new conversation begins (Q-09)", async (_name, text, minutes) => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    expect(await put(talk, { status: "closed" })).toEqual([expect.stringContaining("*3* - Muito satisfeito")]);
    talk.clock.advance({ minutes });
    expect(await talk.says(maria, text)).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending", queueId: null, userId: null });
  });

  test("a rating and a new question in one batch: thanks first, then the menu (Q-09)", async () => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    await put(talk, { status: "closed" });
    const at = talk.clock.now();
    await talk.receive([messageFrom(maria, "2", at), messageFrom(maria, "outra coisa", at)]);
    expect(await talk.hears(maria)).toEqual([
      "Atendimento encerrado. Obrigado pelo contato!",
      expect.stringContaining("Bem-vindo"),
    ]);
  });

  test.each([
    ["a rating", "3", "Atendimento encerrado. Obrigado pelo contato!", "closed"],
    ["no rating", "outra coisa", expect.stringContaining("Bem-vindo"), "pending"],
  ])("an answer that cannot be read yet is %s when its words come (Q-09, W-08)", async (_name, text, heard, status) => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    await put(talk, { status: "closed" });
    const stub = messageFrom(maria, { kind: "undecryptable" }, talk.clock.now());
    await talk.receive([stub]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });
    await talk.receive([messageFrom(maria, text, talk.clock.now(), { waId: stub.message.waId })]);
    expect(await talk.hears(maria)).toEqual([heard]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status });
  });

  test("an answer whose words do not come opens the conversation after two minutes, once; a late rating still counts (Q-09, W-08)", async () => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    await put(talk, { status: "closed" });
    const stub = messageFrom(maria, { kind: "undecryptable" }, talk.clock.now());
    await talk.receive([stub]);
    talk.clock.advance({ minutes: 1 });
    await talk.app.settle();
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });
    talk.clock.advance({ minutes: 1 });
    await talk.app.settle();
    const ticket = await talk.ticketOf(maria);
    expect(ticket).toMatchObject({ status: "pending", queueId: null, userId: null, unreadMessages: 2 });

    await talk.receive([messageFrom(maria, "3", stub.message.at, { waId: stub.message.waId })]);
    expect(await talk.hears(maria)).toEqual([]);
    const { body } = await talk.admin.get<{ rating: number | null }[]>(`/tickets/${ticket.id}/episodes`);
    expect(new Set(body.map(({ rating }) => rating))).toEqual(new Set([3, null]));
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending", unreadMessages: 2 });
  });

  test("a stub that a person has dealt with opens nothing; words that come to a closed conversation do (W-08)", async () => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    await put(talk, { status: "closed" });
    const stub = messageFrom(maria, { kind: "undecryptable" }, talk.clock.now());
    await talk.receive([stub]);
    await put(talk, { status: "open" });
    await talk.save("userRating", "disabled");
    await put(talk, { status: "closed" });
    talk.clock.advance({ minutes: 3 });
    await talk.app.settle();
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });

    await talk.receive([messageFrom(maria, "ainda preciso", stub.message.at, { waId: stub.message.waId })]);
    expect(await talk.hears(maria)).toEqual([expect.stringContaining("Bem-vindo")]);
    expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending" });
  });

  test("nobody is asked whom the company does not write to (Q-09)", async () => {
    const talk = await aDesk();
    await talk.save("userRating", "enabled");
    await put(talk, { status: "open" });
    const { id, contact } = await talk.ticketOf(maria);
    await talk.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked: true } });
    expect(await put(talk, { status: "closed" })).toEqual([]);
    talk.clock.advance({ minutes: 1 });
    await talk.says(maria, "3");
    expect(await talk.ticketOf(maria)).toMatchObject({ id, status: "closed" });
  });
});

test("who is blocked waits no more, and hears nothing of it; unblocked, they wait again (C-06)", async () => {
  const talk = await aDesk({ complationMessage: "Até logo!" });
  const { id, contact } = await talk.ticketOf(maria);
  const block = async (blocked: boolean) => {
    await talk.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked } });
    return [await talk.ticketOf(maria), await talk.hears(maria)];
  };
  expect(await block(true)).toMatchObject([{ id, status: "closed" }, []]);
  expect(await block(true)).toMatchObject([{ status: "closed" }, []]);
  expect(await block(false)).toMatchObject([{ id, status: "pending" }, []]);

  await put(talk, { status: "open" });
  expect(await block(true)).toMatchObject([{ status: "open" }, []]);
  await put(talk, { status: "closed" });
  expect(await block(false)).toMatchObject([{ status: "closed" }, []]);
});

test("who writes again within the company's minutes comes back to the same agent, and no bot speaks (G-02)", async () => {
  const talk = await aDesk();
  await talk.save("reopenToAgentMinutes", "10");
  await put(talk, { status: "open", queueId: talk.sales.id });
  await put(talk, { status: "closed" });
  const { userId } = await talk.ticketOf(maria);
  talk.clock.advance({ minutes: 9 });
  expect(await talk.says(maria, "esqueci uma coisa")).toEqual([]);
  const ticket = await talk.ticketOf(maria);
  expect(ticket).toMatchObject({ status: "open", userId, queueId: talk.sales.id, unreadMessages: 2 });
  const { body } = await talk.admin.get<unknown[]>(`/tickets/${ticket.id}/episodes`);
  expect(body).toHaveLength(2);

  await put(talk, { status: "closed" });
  talk.clock.advance({ minutes: 11 });
  expect(await talk.says(maria, "mais uma")).toEqual([expect.stringContaining("Bem-vindo")]);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending", userId: null, queueId: null });
});
