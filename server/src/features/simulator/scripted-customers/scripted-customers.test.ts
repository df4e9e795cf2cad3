import { describe, expect, test } from "vitest";
import { readAfterEnd } from "#server/features/bot/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { chooseOpener, MAX_MESSAGES_PER_DAY, nextOpeningAt, planReaction } from "./behaviour.ts";
import type { CustomerChat } from "./behaviour.ts";
import { createScriptedCustomers } from "./scripted-customers.ts";
import type { CustomerActions } from "./scripted-customers.ts";
import { openingMessage, replyTo, unusedName } from "./texts.ts";
import type { ScriptedMessage } from "./texts.ts";

const now = Date.parse("2026-03-02T12:00:00Z");
const minute = 60_000;
const always = (value: number) => () => value;

function aCustomer(change: Partial<CustomerChat> = {}): CustomerChat {
  return { number: "5511960000001", name: "Ana", lastAt: null, isWaiting: false, ...change };
}

describe("the choice of who opens a conversation", () => {
  test.each([
    ["20 s after the last opening at the earliest", 0, 20_000],
    ["60 s at the latest", 1, 60_000],
  ])("%s", (_, chance, expected) => {
    expect(nextOpeningAt(now, always(chance)) - now).toBe(expected);
  });

  test("a customer with an idle conversation, never one who waits or was just answered", () => {
    const idle = aCustomer({ number: "1", lastAt: now - 16 * minute });
    const recent = aCustomer({ number: "2", lastAt: now - minute });
    const waiting = aCustomer({ number: "3", lastAt: now - 16 * minute, isWaiting: true });
    expect(chooseOpener([recent, waiting, idle], now, always(0.9))).toBe(idle);
  });

  test("nobody while twelve customers wait for a reply; yesterday's do not count", () => {
    const waiting = Array.from({ length: 12 }, (_, index) =>
      aCustomer({ number: String(index), lastAt: now - minute, isWaiting: true }),
    );
    expect(chooseOpener([...waiting, aCustomer()], now, always(0.9))).toBeNull();
    const [first, ...others] = waiting;
    const yesterday = { ...first!, lastAt: now - 25 * 60 * minute };
    expect(chooseOpener([yesterday, ...others, aCustomer({ number: "9" })], now, always(0.9))).not.toBeNull();
  });

  test("a new customer if no conversation is idle, until the line has forty", () => {
    const recent = aCustomer({ lastAt: now - minute });
    expect(chooseOpener([recent], now, always(0.9))).toBe("newCustomer");
    const crowd = Array.from({ length: 40 }, (_, index) => ({ ...recent, number: String(index) }));
    expect(chooseOpener(crowd, now, always(0))).toBeNull();
  });
});

describe("the reaction to a user's message", () => {
  test("the customer reads, types and sends, in this order, after 5 to 15 s", () => {
    for (const chance of [0, 0.3, 0.6, 0.84]) {
      const { readsAt, typesAt, writesAt } = planReaction(now, [], always(chance));
      expect([readsAt > now, typesAt > readsAt, writesAt! > typesAt]).toEqual([true, true, true]);
      expect(writesAt! - now).toBeGreaterThan(5_000);
      expect(writesAt! - now).toBeLessThan(15_000);
    }
  });

  test("one in seven only reads; after ten replies in an hour all only read", () => {
    expect(planReaction(now, [], always(0.9)).writesAt).toBeNull();
    const talk = Array.from({ length: 10 }, (_, index) => now - index * minute);
    expect(planReaction(now, talk, always(0.1)).writesAt).toBeNull();
    expect(
      planReaction(
        now,
        talk.map((at) => at - 60 * minute),
        always(0.1),
      ).writesAt,
    ).not.toBeNull();
  });

  test.each([
    ["Pode me mandar uma foto?", "photo"],
    ["Qual é o seu endereço?", "text"],
  ])("the reply to %j is a %s", (text, kind) => {
    expect(replyTo(text, always(0.5)).kind).toBe(kind);
  });

  test("the reply to a question about the address is an address", () => {
    expect(replyTo("Me passa o CEP, por favor?", always(0.1))).toEqual({
      kind: "text",
      text: expect.stringMatching(/Palmeiras|01310|cadastro/) as string,
    });
  });

  const chances = [0, 0.05, 0.2, 0.4, 0.6, 0.79, 0.9, 0.99];
  const textsTo = (text: string) =>
    chances.map((chance) => {
      const reply = replyTo(text, always(chance));
      return reply.kind === "text" ? reply.text : reply.kind;
    });

  test("the reply to the bot's menu is a line of it, by number or title, and no way out (B-01, B-02)", () => {
    const menu =
      "Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Fotos\n\n*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial\n*[ sair ]* - Falar com um atendente";
    expect(new Set(textsTo(menu))).toEqual(new Set(["1", "2", "Fotos"]));
    expect(textsTo("Recebi e guardei. Para continuar, envie o *número* de uma das opções do menu.")).not.toContain(
      "photo",
    );
  });

  test("to the closing texts customers rate or thank, which leaves the ticket closed (B-02)", () => {
    const finishedAt = new Date(now);
    const ending = { finishedAt, ratingAskedAt: finishedAt, rating: null };
    const after = (text: string) => readAfterEnd([{ kind: "chat", text, at: new Date(now + 10_000) }], ending);
    const rateUs = "Responda com um número:\n\n*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito";
    for (const text of textsTo(rateUs)) {
      expect([text, after(text)]).toMatchObject([text, { rating: { index: 0 }, opens: false }]);
    }
    for (const text of textsTo("Atendimento encerrado. Obrigado pelo contato!")) {
      expect([text, after(text)]).toEqual([text, { rating: null, opens: false }]);
    }
  });

  test("a name that is taken is not used again", () => {
    const first = unusedName([], always(0))!;
    expect(unusedName([first], always(0))).not.toBe(first);
  });
});

describe("the scripted customers of a line", () => {
  function fakeActions(limit = MAX_MESSAGES_PER_DAY) {
    const done: string[] = [];
    const people: CustomerChat[] = [];
    let claimed = 0;
    const actions: CustomerActions = {
      listChats: async () => people,
      async addCustomer(name) {
        people.push(aCustomer({ name, number: String(people.length) }));
        return String(people.length - 1);
      },
      claimMessage: async (most) => (claimed += 1) <= Math.min(most, limit),
      markRead: async (number) => void done.push(`${number} reads`),
      showTyping: async (number) => void done.push(`${number} types`),
      send: async (number, message: ScriptedMessage) => void done.push(`${number} sends ${message.kind}`),
    };
    return { actions, done };
  }

  test("a customer writes within seconds of the first sign-in, then every 40 s on average", async () => {
    const clock = createMovedClock(new Date(now));
    const { actions, done } = fakeActions();
    const customers = createScriptedCustomers(actions, always(0.5), now);
    const sentAfter = async (seconds: number) => {
      clock.advance({ seconds });
      await customers.runDue(clock.now().getTime());
      return done.length;
    };
    expect(await sentAfter(9)).toBe(0);
    expect(await sentAfter(1)).toBe(1);
    expect(await sentAfter(39)).toBe(1);
    expect(await sentAfter(1)).toBe(2);
  });

  test("two messages in a row get one reaction", async () => {
    const { actions, done } = fakeActions();
    const customers = createScriptedCustomers(actions, always(0.5), now);
    customers.onMessage("7", "Olá!", now);
    customers.onMessage("7", "Em que posso ajudar?", now + 500);
    for (let at = now; at < now + 30_000; at += 1_000) {
      await customers.runDue(at);
    }
    expect(done.filter((each) => each.startsWith("7"))).toEqual(["7 reads", "7 types", "7 sends text"]);
  });

  test("above the daily limit customers read, and send nothing", async () => {
    const { actions, done } = fakeActions(0);
    const customers = createScriptedCustomers(actions, always(0.5), now);
    customers.onMessage("7", "Olá!", now);
    for (let at = now; at < now + 120_000; at += 1_000) {
      await customers.runDue(at);
    }
    expect(done).toEqual(["7 reads", "7 types"]);
  });

  test("an opening is a question or, now and then, a voice note", () => {
    expect(openingMessage(always(0.01)).kind).toBe("voice");
    expect(openingMessage(always(0.5)).kind).toBe("text");
  });
});
