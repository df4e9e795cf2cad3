import { defaultSchedules } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { choicesOn, conversation } from "#server/testing/bot-customers.ts";
import type { Conversation, Kind } from "#server/testing/bot-customers.ts";
import { createBotScenario, createFakeLineApp } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { announcesPerson, isMenu } from "#server/testing/bot-words.ts";
import { aQueue } from "#server/testing/factories.ts";
import { playConversation } from "#server/testing/play-conversation.ts";
import type { Delivery, Played } from "#server/testing/play-conversation.ts";

/** Impatient, chatty, media-loving customers against several shops: what must hold in every conversation (behaviour 5). */
let fakeLineApp: FakeLineApp;
// One for each test: the timers of a hundred companies, a week apart, would run for the hundred and first.
beforeEach(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterEach(() => fakeLineApp.app.close());

interface ShopPlan {
  readonly maxMenus: number;
  readonly hasHours?: true;
  readonly hasTimers?: true;
  readonly closedQueue?: string;
  open(): Promise<BotScenario>;
}

const onThursdays = defaultSchedules.map((day) =>
  day.weekdayEn === "thursday" ? day : { ...day, startTime: "00:00", endTime: "00:00" },
);

const shops = {
  plain: { maxMenus: 3, open: () => createBotScenario(fakeLineApp) },
  strict: { maxMenus: 1, open: () => createBotScenario(fakeLineApp, { maxUseBotQueues: 1, timeUseBotQueues: 10 }) },
  rated: {
    maxMenus: 0,
    async open() {
      const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 0, ratingMessage: "De 1 a 3?" });
      await scenario.saveSetting("userRating", "enabled");
      return scenario;
    },
  },
  oneQueue: {
    maxMenus: 2,
    async open() {
      const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 2 });
      await scenario.saveSetting("sendGreetingMessageOneQueues", "enabled");
      await change(scenario, { queueIds: [scenario.sales.id] });
      return scenario;
    },
  },
  office: {
    maxMenus: 2,
    hasHours: true,
    async open() {
      const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 2 });
      await scenario.saveSetting("scheduleType", "company");
      return scenario;
    },
  },
  bank: {
    maxMenus: 3,
    hasHours: true,
    closedQueue: "Financeiro",
    async open() {
      const scenario = await createBotScenario(fakeLineApp);
      const billing = await aQueue(scenario.company, { name: "Financeiro", schedules: onThursdays });
      await change(scenario, { queueIds: [scenario.sales.id, scenario.support.id, billing.id] });
      await scenario.saveSetting("scheduleType", "queue");
      return scenario;
    },
  },
  mover: {
    maxMenus: 2,
    hasTimers: true,
    async open() {
      const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 2, complationMessage: "Até logo" });
      const triage = await aQueue(scenario.company, { name: "Triagem" });
      await change(scenario, { timeToTransfer: 30, transferQueueId: triage.id });
      return scenario;
    },
  },
} satisfies Record<string, ShopPlan>;
type ShopName = keyof typeof shops;

async function change(scenario: BotScenario, fields: object): Promise<void> {
  expect((await scenario.admin.put(`/whatsapp/${scenario.connection.id}`, fields)).status).toBe(200);
}

/** The default hours, on the clock of São Paulo. */
function isOfficeHour(at: Date): boolean {
  const local = new Date(at.getTime() - 3 * 3_600_000);
  const [day, hour] = [local.getUTCDay(), local.getUTCHours()];
  return day > 0 && hour >= 8 && hour < (day === 6 ? 12 : 18);
}

async function play(name: ShopName, played: Conversation): Promise<void> {
  const plan: ShopPlan = shops[name];
  const scenario = await plan.open();
  const number = "5511988887777";
  const isOpenAt = plan.hasHours ? isOfficeHour : () => true;
  const { maxMenus, hasTimers = false, closedQueue } = plan;
  const result = await playConversation(scenario, played, { number, isOpenAt, maxMenus, hasTimers, closedQueue });
  const sent = scenario.line.sent.filter(({ to }) => to.value === number).length;

  expect(sent).toBe(result.phone.length);
  expect(result.ticket.stored).toBe(result.sentCount);
  result.deliveries.forEach(checkDelivery);
  checkBursts(result.deliveries);
  checkEnd(result);
}

function checkDelivery({ answer, isDue, isAccepted, isOpenHour }: Delivery): void {
  expect(answer.filter(isBlank)).toEqual([]);
  expect(new Set(answer).size).toBe(answer.length);
  expect(answer.filter(isMenu).length).toBeLessThanOrEqual(1);
  expect(answer.length).toBeLessThanOrEqual(2);
  if (isDue) {
    expect(answer).not.toEqual([]);
  }
  if (isAccepted) {
    expect(answer).toEqual([]);
  }
  if (!isOpenHour) {
    expect(answer.filter(announcesPerson)).toEqual([]);
  }
}

/** At most one answer to a burst; only a choice, a way or a new episode gets one more. */
function checkBursts(deliveries: readonly Delivery[]): void {
  for (const [index, delivery] of deliveries.entries()) {
    const earlier = deliveries.slice(0, index).filter(({ bursts }) => bursts[1] === delivery.bursts[0]);
    const wasAnswered = earlier.some(({ answer }) => answer.length > 0);
    if (wasAnswered && !delivery.isEffective && delivery.bursts[0] === delivery.bursts[1]) {
      expect(delivery.answer).toEqual([]);
    }
    const [before] = earlier.slice(-1);
    const isAskedAgain = delivery.said.some((kind) => kind === "mainMenu" || kind === "previousMenu");
    if (before && !isAskedAgain && delivery.answer.length > 0) {
      expect(delivery.answer[0]).not.toBe(before.answer.at(-1));
    }
  }
}

/** With a person or closed, and with no menu on the phone that nobody answers. */
function checkEnd({ ticket, phone, hadPerson }: Played): void {
  expect(ticket.status === "pending" ? ticket.chatbot : false).toBe(false);
  if (ticket.status === "pending" && !hadPerson) {
    expect(choicesOn(phone)).toEqual([]);
  }
}

const shopNames = Object.keys(shops) as ShopName[];

test.each([11, 22, 33])(
  "twenty conversations of seed %i: one answer to a burst, no choice without one, and a person at the end (B-01, B-03, Q-05)",
  async (seed) => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...shopNames), conversation, play), {
      seed,
      numRuns: 20,
      endOnFailure: true,
    });
  },
);

const at = (kind: Kind, gapSeconds: number, pick = 0, joins = false) => ({ kind, gapSeconds, pick, joins });

/** Counterexamples that were found once, by hand made shorter. */
const found: readonly [about: string, shop: ShopName, conversation: Conversation][] = [
  [
    "words that come one by one within seconds of the answer to a choice",
    "rated",
    {
      steps: [at("chatter", 60), at("choice", 60), at("choice", 3), at("emoji", 1), at("thanks", 4, 0, true)],
      ending: "stopWord",
    },
  ],
  [
    "sair right after a closed queue was chosen",
    "bank",
    { steps: [at("chatter", 60), at("choice", 6, 2), at("stopWord", 1)], ending: "stopWord" },
  ],
  [
    "sair at the menu while each queue is closed",
    "bank",
    { steps: [at("chatter", 9 * 3_600), at("stopWord", 6)], ending: "stopWord" },
  ],
  [
    "another line after a closed queue was chosen twice within the hour",
    "bank",
    {
      steps: [at("chatter", 60), at("choice", 6, 2), at("mainMenu", 1_200), at("choice", 6, 2), at("choice", 6, 1)],
      ending: "stopWord",
    },
  ],
];

test.each(found)("%s, at the shop %s (B-01, B-03)", (_about, shop, played) => play(shop, played));
