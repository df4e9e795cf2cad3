import { contacts, queueOptions } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements } from "#server/platform/db/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { aHouse, conversations, inAnotherProcess, messageFrom } from "#server/testing/conversations.ts";
import type { Conversations, House } from "#server/testing/conversations.ts";
import { aUser } from "#server/testing/factories.ts";

let house: House;
beforeAll(async () => {
  house = await aHouse(createMessagesFeature);
});
afterAll(() => house.app.close());

const maria = "5511988887777";
const queueMenu = "Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte";
const ways = "*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial";
const salesMenu = `Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Prazos\n\n${ways}`;

const by = (talk: Conversations, phone = maria) => talk.ticketOf(phone);
const put = async (talk: Conversations, change: object) => {
  const { id } = await by(talk);
  await talk.admin.put(`/tickets/${id}`, change);
};

// Where the list's line of a message ends, and what the bot remembers of one.
test.each([254, 499])("an emoji that begins at letter %i stops nobody (W-08, Q-03)", async (letters) => {
  const talk = await conversations(house);
  const text = `${"x".repeat(letters)}😀 fim`;
  expect(await talk.says(maria, text)).toEqual([queueMenu]);
  expect((await talk.messagesOf(maria))[0]?.body).toBe(text);

  await put(talk, { status: "open" });
  const { id } = await by(talk);
  expect((await talk.admin.post(`/messages/${id}`, { body: text })).status).toBe(200);
  expect((await by(talk)).lastMessage).toBe(text.slice(0, letters === 254 ? 254 : 255));
});

describe("a customer finds their queue", () => {
  test("greeted, sorted, led down to a leaf, and then a person is waited for (Q-03, Q-04)", async () => {
    const talk = await conversations(house);
    expect(await talk.says(maria, "oi")).toEqual([queueMenu]);
    expect(await by(talk)).toMatchObject({ status: "pending", queueId: null, chatbot: true, unreadMessages: 1 });

    expect(await talk.says(maria, "1")).toEqual([salesMenu]);
    expect(await by(talk)).toMatchObject({ status: "pending", queueId: talk.sales.id, chatbot: true });

    expect(await talk.says(maria, "2")).toEqual(["Sobre Prazos"]);
    expect(await by(talk)).toMatchObject({ queueId: talk.sales.id, chatbot: false, lastMessage: "Sobre Prazos" });
    expect(await talk.says(maria, "obrigada")).toEqual([]);

    const said = await talk.messagesOf(maria);
    expect(said.map(({ fromMe, isAutomatic }) => [fromMe, isAutomatic])).toEqual([
      ...[1, 2, 3].flatMap(() => [
        [false, false],
        [true, true],
      ]),
      [false, false],
    ]);
  });

  test("agents of the queue get the ticket when it is chosen, and lose it again with # (Q-04)", async () => {
    const talk = await conversations(house);
    const agent = await aUser(talk.company, { queues: [talk.support] });
    const seen = async () => {
      const { body } = await talk.app.as(agent).get<{ tickets: unknown[] }>(`/tickets?status=pending`);
      return body.tickets.length;
    };
    await talk.says(maria, "oi");
    expect(await seen()).toBe(0);
    await talk.says(maria, "2");
    expect(await seen()).toBe(1);
    expect((await by(talk)).chatbot).toBe(false);

    await talk.says("5511900000002", "oi", "1", "#");
    expect(await by(talk, "5511900000002")).toMatchObject({ queueId: null, chatbot: true });
  });

  test("wrong answers repeat the menu as often as the connection says, then a person sees it waiting (Q-05)", async () => {
    const talk = await conversations(house, { maxUseBotQueues: 2 });
    expect(await talk.says(maria, "oi", "quero falar", "alguém?", "1")).toEqual([queueMenu, queueMenu]);
    expect(await by(talk)).toMatchObject({ status: "pending", queueId: null, chatbot: false });
  });

  test("a menu is not repeated within the quiet time (Q-05)", async () => {
    const talk = await conversations(house, { timeUseBotQueues: 10 });
    expect(await talk.says(maria, "oi", "a")).toEqual([queueMenu]);
    talk.clock.advance({ minutes: 11 });
    expect(await talk.says(maria, "b")).toEqual([queueMenu]);
  });

  test("out of hours is said once, the message is kept; in the morning the menu comes (Q-06, G-02)", async () => {
    const talk = await conversations(house, { outOfHoursMessage: "Voltamos amanhã, {{firstName}}" });
    await talk.save("scheduleType", "company");
    talk.clock.advance({ hours: 13 });
    expect(await talk.says(maria, "oi", "tem alguém?")).toEqual(["Voltamos amanhã, Maria"]);
    expect(await by(talk)).toMatchObject({ status: "pending", chatbot: false, unreadMessages: 2 });
    talk.clock.advance({ hours: 11 });
    expect(await talk.says(maria, "bom dia")).toEqual([queueMenu]);
  });

  test("the words are those of the line's language (Q-03)", async () => {
    const talk = await conversations(house, { language: "es" });
    expect(await talk.says(maria, "hola", "sair")).toEqual([queueMenu, expect.stringContaining("¡Listo!")]);
  });

  test("a line without queues and texts says nothing (Q-03)", async () => {
    const talk = await conversations(house, { hasQueues: false, greetingMessage: "" });
    expect(await talk.says(maria, "oi", "sair")).toEqual([]);
  });
});

describe("who is not answered", () => {
  test("a customer whom a person serves; after return the bot stays silent, a new episode begins afresh (Q-04)", async () => {
    const talk = await conversations(house);
    await talk.says(maria, "oi");
    await put(talk, { status: "open" });
    expect(await talk.says(maria, "1")).toEqual([]);
    await put(talk, { status: "pending" });
    expect(await talk.says(maria, "1")).toEqual([]);
    await put(talk, { status: "open" });
    await put(talk, { status: "closed" });
    talk.clock.advance({ hours: 1 });
    expect(await talk.says(maria, "oi de novo")).toEqual([queueMenu]);
    expect(await by(talk)).toMatchObject({ status: "pending", queueId: null, chatbot: true });
  });

  test("one whom a person put into a queue (T-14)", async () => {
    const talk = await conversations(house);
    await talk.says(maria, "oi");
    await put(talk, { queueId: talk.support.id, status: "pending" });
    expect(await talk.says(maria, "1")).toEqual([]);
    expect(await by(talk)).toMatchObject({ queueId: talk.support.id, chatbot: false });
  });

  test("groups, our own words from the phone, blocked contacts (G-02)", async () => {
    const talk = await conversations(house);
    await talk.save("CheckMsgIsGroup", "disabled");
    const chat = { kind: "group", value: "12036302" } as const;
    const participant = { phone: maria, lid: null, name: "Maria" };
    await talk.receive([messageFrom("", "oi grupo", talk.clock.now(), { chat, participant })]);
    await talk.receive([messageFrom(maria, "do telefone", talk.clock.now(), { fromMe: true })]);
    expect(await talk.hears(maria)).toEqual([]);

    const { contact } = await by(talk);
    await talk.admin.call(contacts.block, { params: { id: contact.id }, body: { blocked: true } });
    expect(await talk.says(maria, "oi")).toEqual([]);
    expect(talk.line.sent).toEqual([]);
  });
});

describe("each message is answered once", () => {
  test("a burst of one chat is several turns in order, beside those of another (Q-04)", async () => {
    const talk = await conversations(house);
    const other = "5511900000002";
    const at = talk.clock.now();
    const texts = (phone: string, ...all: string[]) => all.map((text) => messageFrom(phone, text, at));
    const [a, b, c] = texts(maria, "oi", "1", "2");
    const [d, e] = texts(other, "oi", "2");
    await talk.receive([a!, d!, b!, e!, c!]);
    expect(await talk.hears(maria)).toEqual([queueMenu, salesMenu, "Sobre Prazos"]);
    expect(await talk.hears(other)).toEqual([queueMenu, "Olá do Suporte"]);
  });

  test("however often WhatsApp delivers it (W-08, Q-03)", async () => {
    const talk = await conversations(house);
    const oi = messageFrom(maria, "oi", talk.clock.now());
    await talk.receive([oi, oi]);
    await talk.receive([oi]);
    expect(await talk.hears(maria)).toEqual([queueMenu]);
  });

  test("one that could not be read is answered when its words come", async () => {
    const talk = await conversations(house);
    await talk.says(maria, "oi");
    const stub = messageFrom(maria, { kind: "undecryptable" }, talk.clock.now());
    await talk.receive([stub]);
    expect(await talk.hears(maria)).toEqual([]);
    await talk.receive([messageFrom(maria, "1", talk.clock.now(), { waId: stub.message.waId })]);
    expect(await talk.hears(maria)).toEqual([salesMenu]);
  });

  test("a process that dies before it saved leaves nothing; the next one goes on where the menu was (Q-04)", async () => {
    const talk = await conversations(house);
    await talk.says(maria, "oi");
    const choice = messageFrom(maria, "1", talk.clock.now());
    // Answered, and then the journal's transaction does not come to its end.
    await expect(talk.receive([choice, lost])).rejects.toThrow("killed");
    expect(await talk.hears(maria)).toEqual([]);
    expect(await by(talk)).toMatchObject({ queueId: null, unreadMessages: 1 });

    const next = await inAnotherProcess(talk);
    await next.receive([choice]);
    await next.receive([choice]);
    await next.says(maria, "2");
    expect(await talk.hears(maria)).toEqual([salesMenu, "Sobre Prazos"]);
  });

  test("one that dies between saving and sending sends the menu once (Q-04)", async () => {
    const talk = await conversations(house);
    await talk.receive([messageFrom(maria, "oi", talk.clock.now())]);
    talk.line.onSend = () => {
      throw new Error("killed");
    };
    await talk.app.settle();
    talk.line.onSend = () => undefined;
    talk.clock.advance({ minutes: 10 });
    expect(await (await inAnotherProcess(talk)).hears(maria)).toEqual([queueMenu]);
    expect(await talk.messagesOf(maria)).toHaveLength(2);
  });
});

/** An event at which the transaction breaks after everything was done. */
const lost = {
  type: "status",
  status: 1,
  reason: null,
  get waIds(): readonly string[] {
    throw new Error("killed");
  },
} as const;

test("the file of an option is sent with its words, and outlives the option (Q-04)", async () => {
  const talk = await conversations(house);
  const { body } = await talk.admin.call(queueOptions.tree, { params: { id: talk.sales.id } });
  const leaf = body.find(({ title }) => title === "Prazos")!;
  const form = new FormData();
  form.set("file", new File(["2 dias"], "prazos.csv"));
  await talk.admin.post(`/queue-options/${leaf.id}/media-upload`, form);

  expect(await talk.says(maria, "oi", "1", "2")).toEqual([queueMenu, salesMenu, "prazos.csv: Sobre Prazos"]);
  await talk.admin.call(queueOptions.remove, { params: { id: leaf.id } });
  const last = (await talk.messagesOf(maria)).at(-1)!;
  expect(last).toMatchObject({ body: "Sobre Prazos", media: { state: "ready", size: 6 } });
  expect((await talk.admin.get(last.mediaUrl!)).status).toBe(200);
});

test("a message to a person costs what it did before there was a bot; a turn a few statements more (Q-04)", async () => {
  const talk = await conversations(house);
  const cost = async (text: string) => {
    const { statements } = await countStatements(() => talk.receive([messageFrom(maria, text, talk.clock.now())]));
    return statements.filter((each) => !/pg_notify|pg_snapshot/.test(each)).length;
  };
  await talk.says(maria, "oi");
  const turn = await cost("1");
  await put(talk, { status: "open" });
  const owned = await cost("olá");
  await put(talk, { status: "pending" });
  expect(owned).toBeLessThanOrEqual(6);
  expect(await cost("ainda aí?")).toBe(owned);
  expect(turn).toBeLessThanOrEqual(owned + 8);
});
