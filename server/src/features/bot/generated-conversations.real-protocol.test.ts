import { isBlank } from "@prosa/contract/blank";
import type { Content } from "@prosa/wa-sim";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { burstSeconds, choicesOn, conversation, wordsOf } from "#server/testing/bot-customers.ts";
import type { Kind, Said, Step } from "#server/testing/bot-customers.ts";
import { openBotStories, photo, sticker, voiceNote } from "#server/testing/bot-stories.ts";
import type { BotStories, Customer, Shop } from "#server/testing/bot-stories.ts";
import { isMenu } from "#server/testing/bot-words.ts";

/** Twelve generated customers at once over the real driver, which cuts the batches as they come. */
let stories: BotStories;
let shop: Shop;

beforeAll(async () => {
  stories = await openBotStories();
  shop = await stories.shop({ maxUseBotQueues: 2 });
});

afterAll(() => stories.end());

const seed = 7;
const answered: readonly Kind[] = ["choice", "captionedChoice", "titleChoice", "mainMenu", "previousMenu", "stopWord"];

/** The bursts of a conversation, without what the agent does. */
function burstsOf(steps: readonly Step[]): Said[][] {
  const bursts: Said[][] = [];
  for (const step of steps) {
    if ("agent" in step) {
      continue;
    }
    if (step.gapSeconds >= burstSeconds || bursts.length === 0) {
      bursts.push([]);
    }
    bursts.at(-1)!.push(step);
  }
  return bursts;
}

class Guest {
  readonly phone: string[] = [];
  sent = 0;
  readonly #turns = new Map<Kind, number>();

  readonly customer: Customer;
  readonly bursts: Said[][];

  constructor(customer: Customer, bursts: Said[][]) {
    this.customer = customer;
    this.bursts = bursts;
  }

  /** The contents of a burst, as the phone shows the menu at its beginning. */
  contentsOf(burst: readonly Said[]): Content[] {
    this.sent += burst.length;
    return burst.map((said) => {
      const turn = this.#turns.get(said.kind) ?? 0;
      this.#turns.set(said.kind, turn + 1);
      return onThePhone(wordsOf(said, choicesOn(this.phone), turn));
    });
  }
}

function onThePhone(words: ReturnType<typeof wordsOf>): Content {
  if (typeof words === "string") {
    return words;
  }
  switch (words.kind) {
    case "image":
      return { ...photo, ...(words.caption !== "" && { caption: words.caption }) };
    case "sticker":
      return sticker;
    case "audio":
      return voiceNote;
    default:
      return { location: { latitude: -23.5, longitude: -46.6 } };
  }
}

test("twelve generated customers at once: one answer to a burst, a right choice is answered, each ends with a person (B-01, B-03)", async () => {
  const guests = fc
    .sample(conversation, { seed, numRuns: 12 })
    .map(({ steps }) => new Guest(shop.customer(), burstsOf(steps)));
  const rounds = Math.max(...guests.map(({ bursts }) => bursts.length));
  for (let round = 0; round < rounds; round += 1) {
    stories.clock.advance({ minutes: 1 });
    const speaking = guests.filter(({ bursts }) => bursts.length > round);
    const dues = speaking.map(({ phone, bursts }) => choicesOn(phone).length > 0 && isChoice(bursts[round]!));
    await Promise.all(speaking.map((guest) => guest.customer.sends(...guest.contentsOf(guest.bursts[round]!))));
    for (const [index, guest] of speaking.entries()) {
      const answer = await guest.customer.receives();
      guest.phone.push(...answer);
      checkAnswer(answer, guest.bursts[round]!, dues[index]!);
    }
  }

  for (const guest of guests) {
    stories.clock.advance({ minutes: 1 });
    guest.phone.push(...(await guest.customer.says("sair")));
    expect(choicesOn(guest.phone)).toEqual([]);
    expect(await guest.customer.ticket()).toMatchObject({
      status: "pending",
      chatbot: false,
      unreadMessages: guest.sent + 1,
    });
  }
});

const isChoice = (burst: readonly Said[]) => burst.some(({ kind }) => /choice/i.test(kind));

function checkAnswer(answer: readonly string[], burst: readonly Said[], isDue: boolean): void {
  const choices = burst.filter(({ kind }) => answered.includes(kind)).length;
  expect(answer.filter(isBlank)).toEqual([]);
  expect(answer.filter(isMenu).length).toBeLessThanOrEqual(1 + choices);
  expect(answer.length).toBeLessThanOrEqual(2 * (1 + choices));
  if (choices === 0) {
    expect(new Set(answer).size).toBe(answer.length);
  }
  if (isDue) {
    expect(answer).not.toEqual([]);
  }
}
