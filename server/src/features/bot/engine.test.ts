import { defaultSchedules } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import { freshState } from "./bot.script.ts";
import type { BotOption, BotQueue, BotScript, BotState } from "./bot.script.ts";
import { decideTurn } from "./engine.ts";

// a Wednesday, 10:00 in São Paulo
const working = new Date("2026-11-18T13:00:00Z");
const night = new Date("2026-11-19T02:00:00Z");

const option = (id: number, change: Partial<BotOption> = {}): BotOption => ({
  id,
  option: String(id % 10),
  title: `Opção ${id}`,
  message: `Texto ${id}`,
  media: null,
  fileListId: null,
  children: [],
  ...change,
});

const queue = (id: number, change: Partial<BotQueue> = {}): BotQueue => ({
  id,
  name: `Fila ${id}`,
  greeting: `Olá da fila ${id}`,
  outOfHoursMessage: "",
  schedules: defaultSchedules,
  options: [],
  assistant: null,
  ...change,
});

const tree = [option(11, { children: [option(111), option(112)] }), option(12)];

const script = (change: Partial<BotScript> = {}): BotScript => ({
  scheduleType: "disabled",
  companySchedules: defaultSchedules,
  timeZone: "America/Sao_Paulo",
  greeting: "Bem-vindo",
  outOfHoursMessage: "Voltamos amanhã",
  queues: [queue(1, { options: tree }), queue(2)],
  maxMenus: 3,
  quietMinutes: 0,
  greetsOneQueue: false,
  assistant: null,
  words: { back: "Voltar", mainMenu: "Menu inicial", waitForPerson: "Aguarde um atendente" },
  ...change,
});

/** Plays a conversation; each line shows what the bot said, where the ticket is and who is next. */
function play(story: BotScript, texts: readonly (string | { text: string; at: Date })[], at = working) {
  let state: BotState = freshState;
  return texts.map((each) => {
    const turn = typeof each === "string" ? { text: each, at } : each;
    const decision = decideTurn(story, state, turn);
    state = decision.state;
    return { said: decision.messages.map(({ text }) => text), queue: decision.queueId, next: decision.outcome };
  });
}

const queueMenu = "Bem-vindo\n\n*[ 1 ]* - Fila 1\n*[ 2 ]* - Fila 2";
const ways = "*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial";
const rootMenu = `Olá da fila 1\n\n*[ 1 ]* - Opção 11\n*[ 2 ]* - Opção 12\n\n${ways}`;
const deepMenu = `Texto 11\n\n*[ 1 ]* - Opção 111\n*[ 2 ]* - Opção 112\n\n${ways}`;

describe("the queue menu", () => {
  test("greets and lists the queues (Q-03)", () => {
    expect(play(script(), ["oi"])).toEqual([{ said: [queueMenu], queue: null, next: "bot" }]);
  });

  test("one queue is entered at once, silently unless the setting greets (Q-03)", () => {
    const one = script({ queues: [queue(2)] });
    expect(play(one, ["oi"])).toEqual([{ said: ["Olá da fila 2"], queue: 2, next: "person" }]);
    expect(play({ ...one, greetsOneQueue: true }, ["oi"])[0]?.said).toEqual(["Bem-vindo", "Olá da fila 2"]);
  });

  test("without any queue the greeting goes out and a person is waited for (Q-03)", () => {
    expect(play(script({ queues: [] }), ["oi"])).toEqual([{ said: ["Bem-vindo"], queue: null, next: "person" }]);
  });

  test("an assistant of the connection takes over before any queue (Q-03)", () => {
    const decision = decideTurn(script({ assistant: { kind: "prompt", id: 9 } }), freshState, {
      text: "oi",
      at: working,
    });
    expect(decision).toMatchObject({ outcome: "assistant", assistant: { kind: "prompt", id: 9 }, messages: [] });
  });

  test("wrong answers repeat the menu three times, then the bot is silent and a person sees it (Q-05)", () => {
    expect(play(script(), ["oi", "a", "b", "c", "d"]).map(({ said, next }) => [said.length, next])).toEqual([
      [1, "bot"],
      [1, "bot"],
      [1, "bot"],
      [0, "person"],
      [0, "person"],
    ]);
  });

  test("0 means no limit (Q-05)", () => {
    const turns = play(
      script({ maxMenus: 0 }),
      Array.from({ length: 12 }, (_, index) => `x${index}`),
    );
    expect(turns.every(({ said }) => said.length === 1)).toBe(true);
  });

  test("finding one's way is no wrong answer: # and 0 always work (Q-05)", () => {
    const turns = play(script({ maxMenus: 1, quietMinutes: 60 }), ["oi", "1", "1", "0", "1", "#", "1", "0", "#"]);
    expect(turns.every(({ said, next }) => said.length === 1 && next === "bot")).toBe(true);
  });

  test("within the quiet time nothing is repeated, but a choice still counts (Q-05)", () => {
    const after = (minutes: number) => new Date(working.getTime() + minutes * 60_000);
    const turns = play(script({ quietMinutes: 10 }), [
      { text: "oi", at: working },
      { text: "?", at: after(1) },
      { text: "2", at: after(2) },
    ]);
    expect(turns.map(({ said, queue: where }) => [said, where])).toEqual([
      [[queueMenu], null],
      [[], null],
      [["Olá da fila 2"], 2],
    ]);
    expect(
      play(script({ quietMinutes: 10 }), [
        { text: "oi", at: working },
        { text: "?", at: after(11) },
      ])[1]?.said,
    ).toEqual([queueMenu]);
  });
});

describe("the option tree", () => {
  test("the same number three times leads down three times: that is no machine (Q-04)", () => {
    expect(play(script(), ["1", "1", "1", "1"]).map(({ said }) => said)).toEqual([
      [queueMenu],
      [rootMenu],
      [deepMenu],
      ["Texto 111"],
    ]);
  });

  test("leads down, back and to the start (Q-04)", () => {
    expect(play(script({ maxMenus: 0 }), ["oi", "1", "1", "0", "0"]).map(({ said }) => said[0])).toEqual([
      queueMenu,
      rootMenu,
      deepMenu,
      rootMenu,
      queueMenu,
    ]);
    expect(play(script({ maxMenus: 0 }), ["oi", "1", "1", "#"]).at(-1)).toEqual({
      said: [queueMenu],
      queue: null,
      next: "bot",
    });
  });

  test("a leaf says its words and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "1", "1", "2"]).at(-1)).toEqual({ said: ["Texto 112"], queue: 1, next: "person" });
  });

  test("a leaf or a queue without words says that a person comes (Q-04)", () => {
    const silent = script({
      queues: [queue(1, { options: [option(1, { message: " " })] }), queue(2, { greeting: "" })],
    });
    expect(play(silent, ["oi", "1", "1"]).at(-1)).toEqual({ said: ["Aguarde um atendente"], queue: 1, next: "person" });
    expect(play(silent, ["oi", "2", "e?"]).slice(1)).toEqual([
      { said: ["Aguarde um atendente"], queue: 2, next: "person" },
      { said: [], queue: 2, next: "person" },
    ]);
  });

  test("a leaf may send a file, or a list of files (Q-04)", () => {
    const media = { path: "company/1/tabela.pdf", name: "tabela.pdf", type: "application/pdf", size: 9 };
    const files = script({
      queues: [queue(1, { options: [option(1, { message: "", media, fileListId: 5 })] }), queue(2)],
    });
    let state = decideTurn(files, freshState, { text: "oi", at: working }).state;
    state = decideTurn(files, state, { text: "1", at: working }).state;
    expect(decideTurn(files, state, { text: "1", at: working }).messages).toEqual([{ text: "", media, fileListId: 5 }]);
  });

  test("a queue without options greets and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "2"])[1]).toEqual({ said: ["Olá da fila 2"], queue: 2, next: "person" });
  });
});

describe("words that always work", () => {
  test("an answer may be an emoji, or copied with the marks of the menu (Q-04)", () => {
    expect(play(script(), ["oi", "1️⃣", "*[ 2 ]*"]).at(-1)?.said).toEqual(["Texto 12"]);
    expect(play(script(), ["oi", "1", "#️⃣"]).at(-1)?.said).toEqual([queueMenu]);
    expect(play(script(), ["oi", "Sair."]).at(-1)?.said).toEqual(["Aguarde um atendente"]);
  });

  test("sair stops the bot and waits for a person (Q-04)", () => {
    const turns = play(script(), ["oi", "SAIR", "1"]);
    expect(turns[1]).toEqual({ said: ["Aguarde um atendente"], queue: null, next: "person" });
    expect(turns[2]).toEqual({ said: [], queue: null, next: "person" });
  });

  test("the same text three times is another machine: its loop is cut (Q-05)", () => {
    expect(play(script({ maxMenus: 0 }), ["auto", "auto", "auto", "auto"]).map(({ said }) => said.length)).toEqual([
      1, 1, 0, 0,
    ]);
  });
});

describe("out of hours", () => {
  test("the company's message goes out once in an hour, and the ticket waits (Q-06)", () => {
    const closed = script({ scheduleType: "company" });
    const after = (minutes: number) => new Date(night.getTime() + minutes * 60_000);
    const turns = play(closed, [
      { text: "oi", at: night },
      { text: "alguém?", at: after(10) },
      { text: "e agora?", at: after(61) },
    ]);
    expect(turns.map(({ said, next }) => [said, next])).toEqual([
      [["Voltamos amanhã"], "person"],
      [[], "person"],
      [["Voltamos amanhã"], "person"],
    ]);
  });

  test("a queue's own hours count once it is chosen, with its own words (Q-06)", () => {
    const own = script({
      scheduleType: "queue",
      queues: [queue(1, { outOfHoursMessage: "Vendas volta às 8" }), queue(2)],
    });
    expect(play(own, ["oi", "1"], night).map(({ said }) => said)).toEqual([[queueMenu], ["Vendas volta às 8"]]);
    expect(play(own, ["oi", "2"], night)[1]?.said).toEqual(["Voltamos amanhã"]);
  });

  test("out of a closed queue # and 0 lead back to the others (Q-04, Q-06)", () => {
    const shut = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "00:00" }));
    const own = script({
      scheduleType: "queue",
      queues: [queue(1, { schedules: shut, options: tree }), queue(2)],
    });
    for (const back of ["#", "0"]) {
      expect(play(own, ["oi", "1", back, "2"])).toEqual([
        { said: [queueMenu], queue: null, next: "bot" },
        { said: ["Voltamos amanhã"], queue: 1, next: "person" },
        { said: [queueMenu], queue: null, next: "bot" },
        { said: ["Olá da fila 2"], queue: 2, next: "person" },
      ]);
    }
  });

  test("who said the same all night is no machine, and is led in the morning (Q-05, Q-06)", () => {
    const closed = script({ scheduleType: "company" });
    const turns = play(closed, [...["oi", "oi", "oi"].map((text) => ({ text, at: night })), "oi", "2"]);
    expect(turns.map(({ said }) => said)).toEqual([["Voltamos amanhã"], [], [], [queueMenu], ["Olá da fila 2"]]);
  });

  test("who chose a closed queue is greeted when it opens, not told a wrong answer (Q-04, Q-06)", () => {
    const own = script({ scheduleType: "queue", maxMenus: 1, queues: [queue(1, { options: tree }), queue(2)] });
    const morning = { text: "bom dia", at: new Date("2026-11-19T12:00:00Z") };
    expect(play(own, ["oi", "2", morning], night).at(-1)).toEqual({
      said: ["Olá da fila 2"],
      queue: 2,
      next: "person",
    });
    expect(play(own, ["oi", "1", morning, { ...morning, text: "2" }], night).slice(2)).toEqual([
      { said: [rootMenu], queue: 1, next: "bot" },
      { said: ["Texto 12"], queue: 1, next: "person" },
    ]);
  });

  test("in hours the menu comes as always (Q-06)", () => {
    expect(play(script({ scheduleType: "company" }), ["oi"])[0]?.said).toEqual([queueMenu]);
  });
});
