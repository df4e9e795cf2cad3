import { defaultSchedules } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import { initialState } from "../bot.script.ts";
import type { BotOption, BotQueue, BotScript, BotState } from "../bot.script.ts";
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
  texts: { back: "Voltar", mainMenu: "Menu inicial", waitForPerson: "Aguarde um atendente" },
  ...change,
});

/** Plays a conversation; returns for each turn the bot's messages, the ticket's queue and the outcome. */
function play(story: BotScript, texts: readonly (string | { text: string; at: Date })[], at = working) {
  let state: BotState = initialState;
  return texts.map((each) => {
    const turn = typeof each === "string" ? { text: each, at } : each;
    const decision = decideTurn(story, state, turn);
    state = decision.state;
    return { sent: decision.messages.map(({ text }) => text), queue: decision.queueId, outcome: decision.outcome };
  });
}

const queueMenu = "Bem-vindo\n\n*[ 1 ]* - Fila 1\n*[ 2 ]* - Fila 2";
const ways = "*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial";
const rootMenu = `Olá da fila 1\n\n*[ 1 ]* - Opção 11\n*[ 2 ]* - Opção 12\n\n${ways}`;
const deepMenu = `Texto 11\n\n*[ 1 ]* - Opção 111\n*[ 2 ]* - Opção 112\n\n${ways}`;

describe("the queue menu", () => {
  test("greets and lists the queues (Q-03)", () => {
    expect(play(script(), ["oi"])).toEqual([{ sent: [queueMenu], queue: null, outcome: "bot" }]);
  });

  test("one queue is entered at once, silently unless the setting greets (Q-03)", () => {
    const one = script({ queues: [queue(2)] });
    expect(play(one, ["oi"])).toEqual([{ sent: ["Olá da fila 2"], queue: 2, outcome: "person" }]);
    expect(play({ ...one, greetsOneQueue: true }, ["oi"])[0]?.sent).toEqual(["Bem-vindo", "Olá da fila 2"]);
  });

  test("without any queue the greeting is sent and the ticket waits for a person (Q-03)", () => {
    expect(play(script({ queues: [] }), ["oi"])).toEqual([{ sent: ["Bem-vindo"], queue: null, outcome: "person" }]);
  });

  test("an assistant of the connection takes over before any queue (Q-03)", () => {
    const decision = decideTurn(script({ assistant: { kind: "prompt", id: 9 } }), initialState, {
      text: "oi",
      at: working,
    });
    expect(decision).toMatchObject({ outcome: "assistant", assistant: { kind: "prompt", id: 9 }, messages: [] });
  });

  test("invalid answers repeat the menu three times, then the bot is silent and the ticket waits for a person (Q-05)", () => {
    expect(play(script(), ["oi", "a", "b", "c", "d"]).map(({ sent, outcome }) => [sent.length, outcome])).toEqual([
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
    expect(turns.every(({ sent }) => sent.length === 1)).toBe(true);
  });

  test("navigation is no invalid answer: # and 0 always work (Q-05)", () => {
    const turns = play(script({ maxMenus: 1, quietMinutes: 60 }), ["oi", "1", "1", "0", "1", "#", "1", "0", "#"]);
    expect(turns.every(({ sent, outcome }) => sent.length === 1 && outcome === "bot")).toBe(true);
  });

  test("within the quiet time no menu is repeated, but a valid choice still counts (Q-05)", () => {
    const after = (minutes: number) => new Date(working.getTime() + minutes * 60_000);
    const turns = play(script({ quietMinutes: 10 }), [
      { text: "oi", at: working },
      { text: "?", at: after(1) },
      { text: "2", at: after(2) },
    ]);
    expect(turns.map(({ sent, queue: where }) => [sent, where])).toEqual([
      [[queueMenu], null],
      [[], null],
      [["Olá da fila 2"], 2],
    ]);
    expect(
      play(script({ quietMinutes: 10 }), [
        { text: "oi", at: working },
        { text: "?", at: after(11) },
      ])[1]?.sent,
    ).toEqual([queueMenu]);
  });
});

describe("the option tree", () => {
  test("the same number three times moves down three levels: that is no bot loop (Q-04)", () => {
    expect(play(script(), ["1", "1", "1", "1"]).map(({ sent }) => sent)).toEqual([
      [queueMenu],
      [rootMenu],
      [deepMenu],
      ["Texto 111"],
    ]);
  });

  test("navigates down, back and to the start (Q-04)", () => {
    expect(play(script({ maxMenus: 0 }), ["oi", "1", "1", "0", "0"]).map(({ sent }) => sent[0])).toEqual([
      queueMenu,
      rootMenu,
      deepMenu,
      rootMenu,
      queueMenu,
    ]);
    expect(play(script({ maxMenus: 0 }), ["oi", "1", "1", "#"]).at(-1)).toEqual({
      sent: [queueMenu],
      queue: null,
      outcome: "bot",
    });
  });

  test("a leaf sends its message and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "1", "1", "2"]).at(-1)).toEqual({ sent: ["Texto 112"], queue: 1, outcome: "person" });
  });

  test("a leaf or a queue without a message sends the text that a person comes (Q-04)", () => {
    const silent = script({
      queues: [queue(1, { options: [option(1, { message: " " })] }), queue(2, { greeting: "" })],
    });
    expect(play(silent, ["oi", "1", "1"]).at(-1)).toEqual({
      sent: ["Aguarde um atendente"],
      queue: 1,
      outcome: "person",
    });
    expect(play(silent, ["oi", "2", "e?"]).slice(1)).toEqual([
      { sent: ["Aguarde um atendente"], queue: 2, outcome: "person" },
      { sent: [], queue: 2, outcome: "person" },
    ]);
  });

  test("a leaf may send a file, or a list of files (Q-04)", () => {
    const media = { path: "company/1/tabela.pdf", name: "tabela.pdf", type: "application/pdf", size: 9 };
    const files = script({
      queues: [queue(1, { options: [option(1, { message: "", media, fileListId: 5 })] }), queue(2)],
    });
    let state = decideTurn(files, initialState, { text: "oi", at: working }).state;
    state = decideTurn(files, state, { text: "1", at: working }).state;
    expect(decideTurn(files, state, { text: "1", at: working }).messages).toEqual([{ text: "", media, fileListId: 5 }]);
  });

  test("a queue without options greets and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "2"])[1]).toEqual({ sent: ["Olá da fila 2"], queue: 2, outcome: "person" });
  });
});

describe("normalized answers and commands", () => {
  test("an answer may be an emoji, or copied with the marks of the menu (Q-04)", () => {
    expect(play(script(), ["oi", "1️⃣", "*[ 2 ]*"]).at(-1)?.sent).toEqual(["Texto 12"]);
    expect(play(script(), ["oi", "1", "#️⃣"]).at(-1)?.sent).toEqual([queueMenu]);
    expect(play(script(), ["oi", "Sair."]).at(-1)?.sent).toEqual(["Aguarde um atendente"]);
  });

  test("sair stops the bot; the ticket waits for a person (Q-04)", () => {
    const turns = play(script(), ["oi", "SAIR", "1"]);
    expect(turns[1]).toEqual({ sent: ["Aguarde um atendente"], queue: null, outcome: "person" });
    expect(turns[2]).toEqual({ sent: [], queue: null, outcome: "person" });
  });

  test("the same text three times is another bot: the loop is cut (Q-05)", () => {
    expect(play(script({ maxMenus: 0 }), ["auto", "auto", "auto", "auto"]).map(({ sent }) => sent.length)).toEqual([
      1, 1, 0, 0,
    ]);
  });
});

describe("out of hours", () => {
  test("the company's message is sent once per hour, and the ticket waits (Q-06)", () => {
    const closed = script({ scheduleType: "company" });
    const after = (minutes: number) => new Date(night.getTime() + minutes * 60_000);
    const turns = play(closed, [
      { text: "oi", at: night },
      { text: "alguém?", at: after(10) },
      { text: "e agora?", at: after(61) },
    ]);
    expect(turns.map(({ sent, outcome }) => [sent, outcome])).toEqual([
      [["Voltamos amanhã"], "person"],
      [[], "person"],
      [["Voltamos amanhã"], "person"],
    ]);
  });

  test("a queue's own hours apply once it is chosen, with its own message (Q-06)", () => {
    const own = script({
      scheduleType: "queue",
      queues: [queue(1, { outOfHoursMessage: "Vendas volta às 8" }), queue(2)],
    });
    expect(play(own, ["oi", "1"], night).map(({ sent }) => sent)).toEqual([[queueMenu], ["Vendas volta às 8"]]);
    expect(play(own, ["oi", "2"], night)[1]?.sent).toEqual(["Voltamos amanhã"]);
  });

  test("in a closed queue # and 0 lead back to the other queues (Q-04, Q-06)", () => {
    const shut = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "00:00" }));
    const own = script({
      scheduleType: "queue",
      queues: [queue(1, { schedules: shut, options: tree }), queue(2)],
    });
    for (const back of ["#", "0"]) {
      expect(play(own, ["oi", "1", back, "2"])).toEqual([
        { sent: [queueMenu], queue: null, outcome: "bot" },
        { sent: ["Voltamos amanhã"], queue: 1, outcome: "person" },
        { sent: [queueMenu], queue: null, outcome: "bot" },
        { sent: ["Olá da fila 2"], queue: 2, outcome: "person" },
      ]);
    }
  });

  test("the same text all night is no bot loop: the menu is sent in the morning (Q-05, Q-06)", () => {
    const closed = script({ scheduleType: "company" });
    const turns = play(closed, [...["oi", "oi", "oi"].map((text) => ({ text, at: night })), "oi", "2"]);
    expect(turns.map(({ sent }) => sent)).toEqual([["Voltamos amanhã"], [], [], [queueMenu], ["Olá da fila 2"]]);
  });

  test("a customer who chose a closed queue gets its greeting when it opens, and no invalid answer is counted (Q-04, Q-06)", () => {
    const own = script({ scheduleType: "queue", maxMenus: 1, queues: [queue(1, { options: tree }), queue(2)] });
    const morning = { text: "bom dia", at: new Date("2026-11-19T12:00:00Z") };
    expect(play(own, ["oi", "2", morning], night).at(-1)).toEqual({
      sent: ["Olá da fila 2"],
      queue: 2,
      outcome: "person",
    });
    expect(play(own, ["oi", "1", morning, { ...morning, text: "2" }], night).slice(2)).toEqual([
      { sent: [rootMenu], queue: 1, outcome: "bot" },
      { sent: ["Texto 12"], queue: 1, outcome: "person" },
    ]);
  });

  test("within the opening hours the menu is sent (Q-06)", () => {
    expect(play(script({ scheduleType: "company" }), ["oi"])[0]?.sent).toEqual([queueMenu]);
  });
});
