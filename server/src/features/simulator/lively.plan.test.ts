import { describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createLife } from "./lively.life.ts";
import type { World } from "./lively.life.ts";
import { MOST_A_DAY, nextFirstAt, reactionTo, whoWritesFirst } from "./lively.plan.ts";
import type { Acquaintance } from "./lively.plan.ts";
import { answerTo, newName, openingWords } from "./lively.words.ts";
import type { Words } from "./lively.words.ts";

const now = Date.parse("2026-03-02T12:00:00Z");
const minute = 60_000;
const always = (value: number) => () => value;

function somebody(wishes: Partial<Acquaintance> = {}): Acquaintance {
  return { number: "5511960000001", name: "Ana", lastAt: null, isWaiting: false, ...wishes };
}

describe("who writes first", () => {
  test.each([
    ["20 s after the last at the soonest", 0, 20_000],
    ["60 s at the latest", 1, 60_000],
  ])("%s", (_, chance, expected) => {
    expect(nextFirstAt(now, always(chance)) - now).toBe(expected);
  });

  test("one whose conversation has cooled down, never one who still waits or was just answered", () => {
    const cold = somebody({ number: "1", lastAt: now - 16 * minute });
    const warm = somebody({ number: "2", lastAt: now - minute });
    const waiting = somebody({ number: "3", lastAt: now - 16 * minute, isWaiting: true });
    expect(whoWritesFirst([warm, waiting, cold], now, always(0.9))).toBe(cold);
  });

  test("nobody while twelve wait for an answer; yesterday's do not count", () => {
    const waiting = Array.from({ length: 12 }, (_, index) =>
      somebody({ number: String(index), lastAt: now - minute, isWaiting: true }),
    );
    expect(whoWritesFirst([...waiting, somebody()], now, always(0.9))).toBeNull();
    const [first, ...others] = waiting;
    const yesterday = { ...first!, lastAt: now - 25 * 60 * minute };
    expect(whoWritesFirst([yesterday, ...others, somebody({ number: "9" })], now, always(0.9))).not.toBeNull();
  });

  test("somebody new where all conversations are warm, until the line has forty people", () => {
    const warm = somebody({ lastAt: now - minute });
    expect(whoWritesFirst([warm], now, always(0.9))).toBe("newcomer");
    const crowd = Array.from({ length: 40 }, (_, index) => ({ ...warm, number: String(index) }));
    expect(whoWritesFirst(crowd, now, always(0))).toBeNull();
  });
});

describe("how people meet what an agent writes", () => {
  test("they look, type and write, in this order, within a quarter of a minute", () => {
    for (const chance of [0, 0.3, 0.6, 0.84]) {
      const { readsAt, typesAt, writesAt } = reactionTo(now, [], always(chance));
      expect([readsAt > now, typesAt > readsAt, writesAt! > typesAt]).toEqual([true, true, true]);
      expect(writesAt! - now).toBeLessThan(15_000);
    }
  });

  test("one in seven only reads, and after ten answers in an hour everybody does", () => {
    expect(reactionTo(now, [], always(0.9)).writesAt).toBeNull();
    const talk = Array.from({ length: 10 }, (_, index) => now - index * minute);
    expect(reactionTo(now, talk, always(0.1)).writesAt).toBeNull();
    expect(
      reactionTo(
        now,
        talk.map((at) => at - 60 * minute),
        always(0.1),
      ).writesAt,
    ).not.toBeNull();
  });

  test.each([
    ["Pode me mandar uma foto?", "photo"],
    ["Qual é o seu endereço?", "text"],
  ])("to %j they answer with a %s", (text, kind) => {
    expect(answerTo(text, always(0.5)).kind).toBe(kind);
  });

  test("to a question about the address with an address", () => {
    expect(answerTo("Me passa o CEP, por favor?", always(0.1))).toEqual({
      kind: "text",
      text: expect.stringMatching(/Palmeiras|01310|cadastro/) as string,
    });
  });

  test("a name that is taken is not given again", () => {
    const first = newName([], always(0))!;
    expect(newName([first], always(0))).not.toBe(first);
  });
});

describe("a line's life", () => {
  function aWorld(limit = MOST_A_DAY) {
    const deeds: string[] = [];
    const people: Acquaintance[] = [];
    let said = 0;
    const world: World = {
      acquaintances: async () => people,
      async introduce(name) {
        people.push(somebody({ name, number: String(people.length) }));
        return String(people.length - 1);
      },
      mayStillSpeak: async (most) => (said += 1) <= Math.min(most, limit),
      reads: async (number) => void deeds.push(`${number} reads`),
      types: async (number) => void deeds.push(`${number} types`),
      says: async (number, words: Words) => void deeds.push(`${number} says ${words.kind}`),
    };
    return { world, deeds };
  }

  test("somebody writes within seconds of the first sign-in, then each 40 s on average chance", async () => {
    const clock = createMovedClock(new Date(now));
    const { world, deeds } = aWorld();
    const life = createLife(world, always(0.5), now);
    const spokenAfter = async (seconds: number) => {
      clock.advance({ seconds });
      await life.live(clock.now().getTime());
      return deeds.length;
    };
    expect(await spokenAfter(9)).toBe(0);
    expect(await spokenAfter(1)).toBe(1);
    expect(await spokenAfter(39)).toBe(1);
    expect(await spokenAfter(1)).toBe(2);
  });

  test("two messages of the agent are met with one reaction, in order", async () => {
    const { world, deeds } = aWorld();
    const life = createLife(world, always(0.5), now);
    life.hear("7", "Olá!", now);
    life.hear("7", "Em que posso ajudar?", now + 500);
    for (let at = now; at < now + 30_000; at += 1_000) {
      await life.live(at);
    }
    expect(deeds.filter((deed) => deed.startsWith("7"))).toEqual(["7 reads", "7 types", "7 says text"]);
  });

  test("after the day's amount people still read, and say nothing", async () => {
    const { world, deeds } = aWorld(0);
    const life = createLife(world, always(0.5), now);
    life.hear("7", "Olá!", now);
    for (let at = now; at < now + 120_000; at += 1_000) {
      await life.live(at);
    }
    expect(deeds).toEqual(["7 reads", "7 types"]);
  });

  test("opening words are a question or, now and then, a voice", () => {
    expect(openingWords(always(0.01)).kind).toBe("voice");
    expect(openingWords(always(0.5)).kind).toBe("text");
  });
});
