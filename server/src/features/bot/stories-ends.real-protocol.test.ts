import type { Ticket } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBotStories, sticker } from "#server/testing/bot-stories.ts";
import type { BotStories, Customer, Shop } from "#server/testing/bot-stories.ts";
import { isMenu } from "#server/testing/bot-words.ts";
import { aQueue, aUser } from "#server/testing/factories.ts";

/** Behaviour 5 on customers' phones: how conversations end, with a rating, thanks, a timer, or a person. */
let stories: BotStories;
let shop: Shop;

const question = "De 1 a 3, como foi?";
const farewell = "Obrigado, até logo";

beforeAll(async () => {
  stories = await openBotStories();
  shop = await stories.shop({
    settings: { userRating: "enabled" },
    ratingMessage: question,
    complationMessage: farewell,
  });
});

afterAll(() => stories.end());

const queueMenu: unknown = expect.stringContaining("*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte");

/** A customer whose conversation an agent has resolved a minute ago, with these last words. */
async function aServedCustomer(at: Shop, lastWords: string): Promise<Customer> {
  const ana = at.customer();
  await ana.says("oi");
  await ana.agent("open");
  expect(await ana.agent("closed")).toEqual([lastWords]);
  stories.clock.advance({ minutes: 1 });
  return ana;
}

async function ratingOf(customer: Customer): Promise<(number | null)[]> {
  const { id } = await customer.ticket();
  const { body } = await shop.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
  return body.map(({ rating }) => rating);
}

describe("the rating", () => {
  test.each([
    ["*2*", 2],
    ["3.", 3],
    ["três", 3],
    ["nota 3", 3],
    ["3 - muito bom", 3],
    [" 1️⃣ ", 1],
  ])("%j is a rating of %i, thanked for once (B-02, Q-09)", async (text, rating) => {
    const ana = await aServedCustomer(shop, question);
    expect(await ana.says(text)).toEqual([farewell]);
    expect(await ratingOf(ana)).toEqual([rating]);
    expect(await ana.ticket()).toMatchObject({ status: "closed" });
  });

  test.each(["obrigada!", "👍", "❤️", "valeu", "thanks", "gracias"])(
    "%j leaves the window open and the conversation closed; then 3 still counts (B-02, Q-09)",
    async (thanks) => {
      const ana = await aServedCustomer(shop, question);
      expect(await ana.says(thanks)).toEqual([]);
      expect(await ana.ticket()).toMatchObject({ status: "closed" });
      stories.clock.advance({ minutes: 1 });
      expect(await ana.says("3")).toEqual([farewell]);
      expect(await ratingOf(ana)).toEqual([3]);
      expect((await ana.messages()).filter(({ fromMe }) => !fromMe).map(({ body }) => body)).toEqual([
        "oi",
        thanks,
        "3",
      ]);
    },
  );

  test("a sticker and a reaction leave the window open too (B-02, Q-09)", async () => {
    const ana = await aServedCustomer(shop, question);
    const asked = ana.person.inbox(shop.number).at(-1)!;
    expect(await ana.says(sticker, { reaction: { id: asked.id, emoji: "❤️" } })).toEqual([]);
    expect(await ana.ticket()).toMatchObject({ status: "closed" });
    expect(await ana.says("2")).toEqual([farewell]);
    expect(await ratingOf(ana)).toEqual([2]);
  });

  test("thanks and a rating within seconds are one turn: one answer (B-01, Q-09)", async () => {
    const ana = await aServedCustomer(shop, question);
    expect(await ana.says("muito obrigada!", "3", "😊")).toEqual([farewell]);
    expect(await ratingOf(ana)).toEqual([3]);
    expect(await ana.ticket()).toMatchObject({ status: "closed" });
  });

  test("anything else is a new conversation (Q-09)", async () => {
    const ana = await aServedCustomer(shop, question);
    expect(await ana.says("o sofá veio com defeito")).toEqual([queueMenu]);
    expect(await ana.ticket()).toMatchObject({ status: "pending", chatbot: true });
  });
});

test("a bare thanks after the closing text is stored and leaves the conversation closed for half an hour (B-02, Q-09)", async () => {
  const here = await stories.shop({ complationMessage: farewell });
  const ana = await aServedCustomer(here, farewell);
  expect(await ana.says("obrigado!")).toEqual([]);
  expect(await ana.ticket()).toMatchObject({ status: "closed" });
  expect((await ana.messages()).at(-1)).toMatchObject({ body: "obrigado!", fromMe: false });
  stories.clock.advance({ minutes: 31 });
  expect(await ana.says("obrigado!")).toEqual([queueMenu]);
});

test("a conversation that a timer moved is told so, and its old menu is dead (B-03, Q-07)", async () => {
  const here = await stories.shop();
  const triage = await aQueue(here.company, { name: "Triagem" });
  await here.saveConnection({ timeToTransfer: 5, transferQueueId: triage.id });
  const ana = here.customer();
  expect(await ana.says("oi")).toEqual([queueMenu]);
  await stories.minutesPass(7);
  const told = await ana.receives();
  expect(told).toEqual([expect.stringMatching(/Triagem/)]);
  expect(told[0]).toMatch(/menu|opç|número/i);
  expect(told.filter(isMenu)).toEqual([]);
  for (const text of ["1", "2", "vendas"]) {
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says(text)).toEqual([]);
  }
  expect(await ana.ticket()).toMatchObject({ status: "pending", queue: { name: "Triagem" }, chatbot: false });
  await stories.minutesPass(7);
  expect(await ana.receives()).toEqual([]);
});

describe("what a person started", () => {
  test("the reply to a scheduled message waits for its author, without the bot (Q-03)", async () => {
    const here = await stories.shop();
    const ana = here.customer();
    await ana.says("oi");
    await ana.agent("open");
    await ana.agent("closed");
    const { contactId } = await ana.ticket();
    const sendAt = new Date(stories.clock.now().getTime() + 60 * 60_000).toISOString();
    await here.admin.post("/schedules", { body: "Ana, o sofá chegou!", contactId, sendAt });
    await stories.minutesPass(62);
    expect(await ana.receives()).toEqual(["Ana, o sofá chegou!"]);
    stories.clock.advance({ hours: 3 });
    expect(await ana.says("que bom! quando entregam?")).toEqual([]);
    expect(await ana.ticket()).toMatchObject({ chatbot: false });
    expect((await ana.ticket()).status).not.toBe("closed");
  });

  test("the reply to a conversation that a person started and closed waits for them (Q-03)", async () => {
    const here = await stories.shop();
    const ana = here.customer();
    await ana.says("oi");
    await ana.agent("open");
    await ana.agent("closed");
    const { contactId } = await ana.ticket();
    stories.clock.advance({ hours: 1 });
    const { body: started } = await here.admin.post<Ticket>("/tickets", { contactId });
    await here.admin.post(`/messages/${started.id}`, { body: "Ana, ainda quer o sofá?" });
    expect(await ana.receives()).toEqual(["Ana, ainda quer o sofá?"]);
    await ana.agent("closed");
    stories.clock.advance({ hours: 3 });
    expect((await ana.says("quero sim")).filter(isMenu)).toEqual([]);
    expect(await ana.ticket()).toMatchObject({ chatbot: false });
  });
});

test("the list names who said the last words: bot, agent, colleague, the owner's phone, nobody of ours (T-04)", async () => {
  const [agent, colleague] = await Promise.all([
    aUser(shop.company, { name: "Bruna", profile: "admin" }),
    aUser(shop.company, { name: "Caio", profile: "admin" }),
  ]);
  const ana = shop.customer();
  const author = async () => (await ana.ticket()).lastMessageAuthor;
  await ana.says("oi");
  expect(await author()).toEqual({ kind: "bot" });
  const { id } = await ana.ticket();
  await stories.app.as(agent).put(`/tickets/${id}`, { status: "open" });
  expect(await author()).toEqual({ kind: "bot" });
  stories.clock.advance({ seconds: 2 });
  await ana.says("tem sofá?");
  expect(await author()).toBeNull();
  for (const person of [agent, colleague]) {
    stories.clock.advance({ seconds: 2 });
    await stories.app.as(person).post(`/messages/${id}`, { body: `Aqui é ${person.name}` });
    expect(await author()).toEqual({ kind: "user", user: { id: person.userId, name: person.name } });
  }
  stories.clock.advance({ seconds: 2 });
  await stories.sim.phone(shop.number).sends(ana.person.number, "do celular da loja");
  await ana.receives();
  expect(await author()).toEqual({ kind: "phone" });
  stories.clock.advance({ seconds: 2 });
  await ana.agent("closed");
  expect(await author()).toEqual({ kind: "bot" });
});
