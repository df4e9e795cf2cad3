import { botCommands, defaultSchedules } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../bot.script.ts";
import type { BotDecision, BotOption, BotQueue, BotScript } from "../bot.script.ts";
import { decideTurn } from "./engine.ts";
import { heardBy, photo, play, saidOf, sticker, texts, voice, working } from "./script.fixture.ts";
import type { Saying } from "./script.fixture.ts";

/** Invariants of every script that the screens can make, with any messages. */

const answers = fc.constantFrom("oi", "1", "2", "3", "0", "#", "sair", "", "9", "🙂", " 1 ", "a", "b");
/** Texts of a company, which may be empty or blank. */
const companyText = fc.constantFrom("", "  ", "\u200b", "Olá", "Conte o que houve");
const media = fc.option(fc.constant({ path: "company/1/f", name: "f.pdf", type: "application/pdf", size: 9 }));

const { tree } = fc.letrec<{ tree: BotOption[]; option: Omit<BotOption, "id" | "option"> }>((tie) => ({
  option: fc.record({
    title: fc.constantFrom("Preços", "Prazos"),
    message: companyText,
    media,
    fileListId: fc.option(fc.constant(7)),
    children: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constant([]), tie("tree")),
  }),
  // Numbered as the editor numbers a level.
  tree: fc
    .array(tie("option"), { maxLength: 3 })
    .map((level) => level.map((each, index) => ({ ...each, id: 0, option: String(index + 1) }))),
}));

const queue = fc.record<BotQueue>({
  id: fc.constant(0),
  name: fc.constantFrom("Vendas", "Suporte"),
  greeting: companyText,
  outOfHoursMessage: companyText,
  schedules: fc.constant(defaultSchedules),
  options: tree.map((options) => numbered(options)),
  assistant: fc.constant(null),
});

const scripts = fc.record<BotScript>({
  scheduleType: fc.constantFrom("disabled", "company", "queue"),
  companySchedules: fc.constant(defaultSchedules),
  timeZone: fc.constant("America/Sao_Paulo"),
  greeting: companyText,
  outOfHoursMessage: companyText,
  queues: fc.array(queue, { maxLength: 3 }).map((all) => all.map((each, index) => ({ ...each, id: index + 1 }))),
  otherQueues: fc.constant([]),
  maxRepeats: fc.integer({ min: 0, max: 4 }),
  quietMinutes: fc.constantFrom(0, 10),
  greetsOneQueue: fc.boolean(),
  assistant: fc.constant(null),
  service: fc.constant({ isActive: true, endsAt: null }),
  transfer: fc.constant(null),
  texts: fc.constant(texts),
});

/** Gives each option of the tree a unique id. */
function numbered(options: readonly BotOption[], next = { id: 1 }): BotOption[] {
  return options.map((option) => ({ ...option, id: next.id++, children: numbered(option.children, next) }));
}

/** The decisions of a conversation that starts at `from`, with a message each `every` minutes. */
function decisionsOf(script: BotScript, sayings: readonly string[], { from = working, every = 1 } = {}): BotDecision[] {
  const timed = sayings.map((say, index) => ({ say, at: new Date(from.getTime() + index * every * 60_000) }));
  return play(script, timed).map(({ decision }) => decision);
}

const conversation = fc.array(answers, { minLength: 1, maxLength: 25 });
const anyHour = fc.integer({ min: 0, max: 7 * 24 - 1 }).map((hours) => new Date(working.getTime() + hours * 3_600_000));
const commands: readonly string[] = Object.values(botCommands);

test("no empty message is sent, at any hour and by any script (Q-04)", () => {
  fc.assert(
    fc.property(scripts, conversation, anyHour, (script, sayings, from) => {
      for (const { messages } of decisionsOf(script, sayings, { from, every: 17 })) {
        const isSaid = ({ text, media: file, fileListId }: (typeof messages)[number]) =>
          !isBlank(text) || file !== null || fileListId !== null;
        expect(messages.every(isSaid)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("whatever is said in a turn, it gets one answer at most: a text, with the file of an option before it (B-01)", () => {
  const saying = fc.oneof(
    answers,
    fc.constantFrom(photo, voice, sticker),
    answers.map((text) => ({ kind: "image" as const, text })),
  );
  fc.assert(
    fc.property(
      scripts,
      fc.array(fc.array(saying, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      (script, sayings) => {
        for (const { decision } of play(script, sayings)) {
          const [last, ...files] = decision.messages.toReversed();
          expect(files.length).toBeLessThanOrEqual(1);
          expect(files.every(({ media: file, fileListId }) => file !== null || fileListId !== null)).toBe(true);
          expect(files.every(({ text }) => text === "")).toBe(true);
          expect(last === undefined || !isBlank(last.text)).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a burst without a choice gets the same one answer, however it is cut into turns (B-01)", () => {
  const chatter = fc.array(fc.constantFrom("oi", "bom dia", "tudo bem?", "queria saber", "🙂", "alô"), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(scripts, chatter, anyHour, (script, burst, from) => {
      const cut = burst.map((say, index) => ({ say, at: new Date(from.getTime() + index * 1_500) }));
      const whole = heardBy(script, [{ say: burst, at: from }]).flat();
      expect(heardBy(script, cut).flat()).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

test("after the handover in opening hours the bot answers only the ways back and to a person (Q-04, B-03)", () => {
  fc.assert(
    fc.property(scripts, conversation, (script, sayings) => {
      const turns = decisionsOf({ ...script, scheduleType: "disabled" }, sayings);
      turns.forEach(({ messages, outcome }, index) => {
        expect(outcome === "bot" || outcome === "person").toBe(true);
        const isWaiting = turns[index - 1]?.outcome === "person";
        expect(isWaiting && messages.length > 0 && !commands.includes(sayings[index]!.trim())).toBe(false);
      });
    }),
    { numRuns: 500 },
  );
});

test("always choosing the first option reaches a person as soon as no options are left (Q-04)", () => {
  const deepest = 6;
  fc.assert(
    fc.property(scripts, (random) => {
      const script: BotScript = { ...random, scheduleType: "disabled" };
      const turns = decisionsOf(script, Array<string>(deepest + 2).fill("1"));
      const first = turns.findIndex(({ outcome }) => outcome === "person");
      const [top] = script.queues;
      const levels = top ? 1 + depthOf(top.options) : 0;
      // The first message is no choice; the only queue is entered at once.
      expect(first).toBe(top && script.queues.length > 1 ? levels : Math.max(levels - 1, 0));
    }),
    { numRuns: 300 },
  );
});

/** The number of choices down the tree, along the first option of each level. */
function depthOf([first]: readonly BotOption[]): number {
  return first ? 1 + depthOf(first.children) : 0;
}

test("wrong answers alone reach a person within the limit, who is promised (Q-05, B-03)", () => {
  const lost = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(scripts, fc.integer({ min: 1, max: 5 }), lost, (script, maxRepeats, sayings) => {
      const turns = decisionsOf({ ...script, scheduleType: "disabled", quietMinutes: 0, maxRepeats }, sayings);
      expect(turns.at(-1)?.outcome).toBe("person");
      const said = turns.flatMap(({ messages }) => messages);
      expect(said.length).toBeLessThanOrEqual(maxRepeats + 2);
      expect(said.length < 2 || said.at(-1)?.text === texts.waitForPerson).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("sair hands over to a person from every menu, and is answered unless it was said already (Q-04, B-03)", () => {
  fc.assert(
    fc.property(scripts, conversation, (random, sayings) => {
      const script: BotScript = { ...random, scheduleType: "disabled" };
      const { state } = decisionsOf(script, sayings).at(-1)!;
      const stopped = decideTurn(script, state, { said: saidOf(" SAIR ", working), at: working });
      const isTold = state.place === "waiting" && state.toldToWait;
      expect(stopped).toMatchObject({ outcome: "person", messages: isTold ? [] : [{ text: texts.waitForPerson }] });
      expect(decideTurn(script, stopped.state, { said: saidOf("oi", working), at: working }).messages).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("# leads to the start and 0 one level up, from every menu; neither is a wrong answer (Q-04, Q-05)", () => {
  fc.assert(
    fc.property(scripts, conversation, (random, sayings) => {
      const script: BotScript = { ...random, scheduleType: "disabled" };
      const { state, outcome } = decisionsOf(script, sayings).at(-1)!;
      fc.pre(outcome === "bot");
      const isOnly = script.queues.length === 1;
      const top = { queueId: isOnly ? 1 : null, path: [], wrongAnswers: 0 };
      const turn = (text: string) => decideTurn(script, state, { said: saidOf(text, working), at: working });

      const start = turn("#");
      expect(start.state).toMatchObject(top);
      expect([start.outcome, start.messages.length > 0]).toEqual(["bot", true]);

      const up = turn("0");
      const wanted = state.path.length > 0 ? { ...top, queueId: state.queueId, path: state.path.slice(0, -1) } : top;
      expect(up.state).toMatchObject(wanted);
      expect([up.outcome, up.messages.length > 0]).toEqual(["bot", true]);
    }),
    { numRuns: 500 },
  );
});

test.each([1, 30])("two bots that answer each other after %i s fall silent (Q-05)", (seconds) => {
  fc.assert(
    fc.property(scripts, scripts, anyHour, (one, other, from) => {
      const bots = [
        { script: one, state: initialState },
        { script: other, state: initialState },
      ];
      let sent: Saying[] = ["oi"];
      let turns = 0;
      for (; sent.length > 0 && turns < 100; turns += 1) {
        const bot = bots[turns % 2]!;
        const at = new Date(from.getTime() + turns * seconds * 1_000);
        const { state, messages } = decideTurn(bot.script, bot.state, { said: saidOf(sent, at), at });
        bot.state = state;
        sent = messages.map(({ text, media: file }) => (file ? { kind: "application", text } : text));
      }
      expect(turns).toBeLessThan(100);
    }),
    { numRuns: 500 },
  );
});
