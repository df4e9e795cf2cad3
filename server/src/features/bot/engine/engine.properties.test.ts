import { botCommands, defaultSchedules } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../bot.script.ts";
import type { BotDecision, BotOption, BotQueue, BotScript, BotState } from "../bot.script.ts";
import { decideTurn } from "./engine.ts";

/** Invariants of every script that the screens can make, with any messages. */

// a Wednesday, 10:00 in São Paulo
const open = new Date("2026-11-18T13:00:00Z");
const answers = fc.constantFrom("oi", "1", "2", "3", "0", "#", "sair", "", "9", "🙂", " 1 ", "a", "b");
/** Texts of a company, which may be empty or blank. */
const companyText = fc.constantFrom("", "  ", "\u200b", "Olá", "Conte o que houve");
const media = fc.option(fc.constant({ path: "company/1/f", name: "f.pdf", type: "application/pdf", size: 9 }));

const { tree } = fc.letrec<{ tree: BotOption[]; option: Omit<BotOption, "id" | "option"> }>((tie) => ({
  option: fc.record({
    title: fc.constantFrom("Preços", "Prazos"),
    message: companyText,
    media,
    fileListId: fc.constant(null),
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
  maxMenus: fc.integer({ min: 0, max: 4 }),
  quietMinutes: fc.constantFrom(0, 10),
  greetsOneQueue: fc.boolean(),
  assistant: fc.constant(null),
  texts: fc.constant({ back: "Voltar", mainMenu: "Menu inicial", waitForPerson: "Aguarde um atendente" }),
});

/** Gives each option of the tree a unique id. */
function numbered(options: readonly BotOption[], next = { id: 1 }): BotOption[] {
  return options.map((option) => ({ ...option, id: next.id++, children: numbered(option.children, next) }));
}

/** The decisions of a conversation that starts at `from`, with a message each `every` minutes. */
function play(script: BotScript, texts: readonly string[], { from = open, every = 1 } = {}): BotDecision[] {
  let state: BotState = initialState;
  return texts.map((text, index) => {
    const decision = decideTurn(script, state, { text, at: new Date(from.getTime() + index * every * 60_000) });
    ({ state } = decision);
    return decision;
  });
}

const conversation = fc.array(answers, { minLength: 1, maxLength: 25 });
const anyHour = fc.integer({ min: 0, max: 7 * 24 - 1 }).map((hours) => new Date(open.getTime() + hours * 3_600_000));

test("no empty message is sent, at any hour and by any script (Q-04)", () => {
  fc.assert(
    fc.property(scripts, conversation, anyHour, (script, texts, from) => {
      for (const { messages } of play(script, texts, { from, every: 17 })) {
        expect(messages.every(({ text, media: file }) => !isBlank(text) || file !== null)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("a turn ends with the bot or a person; after the handover in opening hours the bot is silent (Q-04)", () => {
  fc.assert(
    fc.property(scripts, conversation, (script, texts) => {
      const turns = play({ ...script, scheduleType: "disabled" }, texts);
      expect(turns.every(({ outcome }) => outcome === "bot" || outcome === "person")).toBe(true);
      const first = turns.findIndex(({ outcome }) => outcome === "person");
      const after = first === -1 ? [] : turns.slice(first + 1);
      expect(after.every(({ outcome, messages }) => outcome === "person" && messages.length === 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("always choosing the first option reaches a person as soon as no options are left (Q-04)", () => {
  const deepest = 6;
  fc.assert(
    fc.property(scripts, (random) => {
      const script: BotScript = { ...random, scheduleType: "disabled" };
      const turns = play(script, Array<string>(deepest + 2).fill("1"));
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

test("invalid answers alone reach a person within the limit (Q-05)", () => {
  const lost = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(scripts, fc.integer({ min: 1, max: 5 }), lost, (script, maxMenus, texts) => {
      const turns = play({ ...script, scheduleType: "disabled", quietMinutes: 0, maxMenus }, texts);
      expect(turns.at(-1)?.outcome).toBe("person");
      // The greeting of the only queue is one more message.
      expect(turns.flatMap(({ messages }) => messages).length).toBeLessThanOrEqual(maxMenus + 1);
    }),
    { numRuns: 300 },
  );
});

test("sair hands over to a person from every menu, and is answered (Q-04)", () => {
  fc.assert(
    fc.property(scripts, conversation, (script, texts) => {
      const before = play(script, texts).at(-1)!;
      fc.pre(!before.state.isOver);
      const stopped = decideTurn(script, before.state, { text: " SAIR ", at: open });
      expect(stopped).toMatchObject({ outcome: "person", messages: [{ text: "Aguarde um atendente" }] });
      expect(decideTurn(script, stopped.state, { text: "oi", at: open }).messages).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("# leads to the start and 0 one level up, from every menu; neither is an invalid answer (Q-04, Q-05)", () => {
  fc.assert(
    fc.property(scripts, conversation, (random, texts) => {
      const script: BotScript = { ...random, scheduleType: "disabled" };
      const { state, outcome } = play(script, texts).at(-1)!;
      // The third of the same text in a row would be cut as a loop.
      fc.pre(outcome === "bot" && !Object.values(botCommands).includes(state.lastText as "#"));
      const isOnly = script.queues.length === 1;

      const start = decideTurn(script, state, { text: "#", at: open });
      expect(start.state).toMatchObject({ queueId: isOnly ? 1 : null, path: [], menusSent: state.menusSent });
      expect([start.outcome, start.messages.length > 0]).toEqual(["bot", true]);

      const up = decideTurn(script, state, { text: "0", at: open });
      const wanted =
        state.path.length > 0
          ? { queueId: state.queueId, path: state.path.slice(0, -1) }
          : { queueId: isOnly ? 1 : null, path: [] };
      expect(up.state).toMatchObject({ ...wanted, menusSent: state.menusSent });
      expect([up.outcome, up.messages.length > 0]).toEqual(["bot", true]);
    }),
    { numRuns: 500 },
  );
});

test("two bots that answer each other fall silent (Q-05)", () => {
  fc.assert(
    fc.property(scripts, scripts, anyHour, (one, other, from) => {
      const bots = [
        { script: one, state: initialState },
        { script: other, state: initialState },
      ];
      let sent = ["oi"];
      let turns = 0;
      for (; sent.length > 0 && turns < 100; turns += 1) {
        const bot = bots[turns % 2]!;
        const at = new Date(from.getTime() + turns * 1_000);
        sent = sent.flatMap((text) => {
          const { state, messages } = decideTurn(bot.script, bot.state, { text, at });
          bot.state = state;
          return messages.map((message) => message.text);
        });
      }
      expect(turns).toBeLessThan(100);
    }),
    { numRuns: 500 },
  );
});
