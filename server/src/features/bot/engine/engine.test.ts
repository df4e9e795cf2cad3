import { describe, expect, test } from "vitest";
import { initialState } from "../bot.script.ts";
import type { BotOption, BotScript } from "../bot.script.ts";
import { parseState } from "./bot-state.ts";
import { decideTransfer } from "./engine.ts";
import {
  again,
  deepMenu,
  heardBy,
  option,
  photo,
  play,
  queue,
  queueMenu,
  salesMenu,
  script,
  sticker,
  texts,
  tree,
  voice,
  working,
} from "./script.fixture.ts";

const after = (seconds: number) => new Date(working.getTime() + seconds * 1_000);
const comes = [texts.waitForPerson];

describe("a turn is all that was said since the last answer", () => {
  test("four texts at once get one menu, and the right number after it is answered (B-01)", () => {
    const burst = ["oi", "bom dia", "tudo bem?", "queria saber de um sofá"];
    expect(heardBy(script(), [burst, "1"])).toEqual([[queueMenu], [salesMenu]]);
  });

  test("texts before anybody could read the menu are no wrong answers, in a chain of twenty seconds (B-01)", () => {
    const sayings = [0, 2, 6, 10, 14, 18].map((seconds) => ({ say: `texto ${seconds}`, at: after(seconds) }));
    expect(heardBy(script(), sayings)).toEqual([[queueMenu], [], [], [], [], []]);
    expect(heardBy(script(), [...sayings, { say: "e aí?", at: after(22) }]).at(-1)).toEqual([again(queueMenu)]);
    expect(heardBy(script(), [...sayings.slice(0, 2), { say: "e aí?", at: after(8) }])[2]).toEqual([again(queueMenu)]);
  });

  test("a choice counts however fast it comes (B-01)", () => {
    const fast = ["oi", "1", "2"].map((say) => ({ say, at: working }));
    expect(heardBy(script(), fast)).toEqual([[queueMenu], [salesMenu], ["Texto 12"]]);
  });

  test("what was understood last counts; a choice at the start counts after the first text (B-01)", () => {
    expect(heardBy(script(), ["oi", ["1", "não, espera", "2"]])[1]).toEqual(["Olá da fila 2"]);
    expect(heardBy(script(), [["oi", "1"]])).toEqual([[salesMenu]]);
    expect(heardBy(script(), ["1"])).toEqual([[queueMenu]]);
  });

  test("several wrong texts in one turn are one wrong answer (B-01)", () => {
    expect(heardBy(script({ maxRepeats: 1 }), ["oi", ["a", "b", "c", "d"], "1"])).toEqual([
      [queueMenu],
      [again(queueMenu)],
      [salesMenu],
    ]);
  });
});

describe("media", () => {
  test("an album gets one menu; at a menu media are asked for a number once an episode (B-01)", () => {
    expect(heardBy(script(), [[photo, photo, photo, photo, photo], voice, photo, sticker, "1"])).toEqual([
      [queueMenu],
      [texts.sendNumber],
      [],
      [],
      [salesMenu],
    ]);
  });

  test("the rest of an album is too early to be answered, and leaves the request for later (B-01)", () => {
    const album = [0, 1, 2].map((seconds) => ({ say: photo, at: after(seconds) }));
    expect(heardBy(script(), [...album, { say: voice, at: after(60) }])).toEqual([
      [queueMenu],
      [],
      [],
      [texts.sendNumber],
    ]);
  });

  test("a caption is read like a text, but is no wrong answer (B-02)", () => {
    expect(heardBy(script(), ["oi", { kind: "image", text: "1" }])[1]).toEqual([salesMenu]);
    expect(heardBy(script({ maxRepeats: 1 }), ["oi", { kind: "image", text: "este aqui" }, "x"]).slice(1)).toEqual([
      [texts.sendNumber],
      [again(queueMenu)],
    ]);
  });
});

describe("the queue menu", () => {
  test("greets and lists the queues, and says how to reach a person (Q-03, B-03)", () => {
    expect(play(script(), ["oi"])).toMatchObject([{ sent: [queueMenu], queue: null, outcome: "bot" }]);
  });

  test.each(["Vendas", "vendas!", "VEND", "*1*", "1.", "um", "opção 1", "1️⃣"])(
    "%s chooses the first queue (B-02)",
    (text) => {
      expect(play(script(), ["oi", text])[1]).toMatchObject({ sent: [salesMenu], queue: 1 });
    },
  );

  test("one queue is entered at once; the setting greets in the same message (Q-03)", () => {
    const one = script({ queues: [queue(2)] });
    expect(play(one, ["oi"])).toMatchObject([{ sent: ["Olá da fila 2"], queue: 2, outcome: "person" }]);
    expect(heardBy({ ...one, greetsOneQueue: true }, ["oi"])).toEqual([["Bem-vindo\n\nOlá da fila 2"]]);
    const withOptions = script({ queues: [queue(1, { options: tree })], greetsOneQueue: true });
    expect(heardBy(withOptions, ["oi"])[0]).toHaveLength(1);
    expect(heardBy(withOptions, ["oi"])[0]?.[0]).toMatch(/^Bem-vindo\n\nOlá da fila 1\n\n\*\[ 1 \]\*/u);
  });

  test("without any queue the greeting is sent and the ticket waits for a person (Q-03)", () => {
    expect(play(script({ queues: [] }), ["oi"])).toMatchObject([
      { sent: ["Bem-vindo"], queue: null, outcome: "person" },
    ]);
  });

  test("a wrong answer gets the menu again, as often as the connection says; then a person comes (Q-05, B-03)", () => {
    const turns = play(script({ maxRepeats: 2 }), ["oi", "a", "b", "c", "d"]);
    expect(turns.map(({ sent }) => sent)).toEqual([[queueMenu], [again(queueMenu)], [again(queueMenu)], comes, []]);
    expect(turns.map(({ outcome }) => outcome)).toEqual(["bot", "bot", "bot", "person", "person"]);
  });

  test("0 means no limit (Q-05)", () => {
    const sayings = Array.from({ length: 12 }, (_, index) => `x${index}`);
    expect(heardBy(script({ maxRepeats: 0 }), sayings).every((sent) => sent.length === 1)).toBe(true);
  });

  test("0 leaves a machine that varies its words after sixty wrong answers; a limit of the company's own holds (B-04, Q-05)", () => {
    const sayings = ["oi", ...Array.from({ length: 61 }, (_, index) => `O seu protocolo é A${index}`)];
    const turns = play(script({ maxRepeats: 0 }), [...sayings, "#", "ainda aí?"]);
    expect(turns.slice(0, 60).every(({ outcome }) => outcome === "bot")).toBe(true);
    expect(turns.slice(60).map(({ sent }) => sent)).toEqual([comes, [], [queueMenu], [again(queueMenu)]]);
    expect(play(script({ maxRepeats: 100 }), sayings).every(({ outcome }) => outcome === "bot")).toBe(true);
  });

  test("each place counts its own wrong answers (Q-05, B-03)", () => {
    const sayings = ["oi", "a", "b", "1", "c", "d", "1", "e", "f", "#", "g", "h"];
    const heard = heardBy(script({ maxRepeats: 2 }), sayings);
    const [q, s, d] = [again(queueMenu), again(salesMenu), again(deepMenu)];
    expect(heard.flat()).toEqual([queueMenu, q, q, salesMenu, s, s, deepMenu, d, d, queueMenu, q, q]);
  });

  test("within the quiet time no menu is repeated, but a valid choice still counts (Q-05)", () => {
    const turns = play(script({ quietMinutes: 10 }), [
      { say: "oi", at: working },
      { say: "?", at: after(60) },
      { say: "2", at: after(120) },
    ]);
    expect(turns.map(({ sent, queue: where }) => [sent, where])).toEqual([
      [[queueMenu], null],
      [[], null],
      [["Olá da fila 2"], 2],
    ]);
    const late = [
      { say: "oi", at: working },
      { say: "?", at: after(660) },
    ];
    expect(heardBy(script({ quietMinutes: 10 }), late)[1]).toEqual([again(queueMenu)]);
  });

  test("the same text three times is another bot: the loop is cut, and said so (Q-05, B-03)", () => {
    const auto = ["auto", "auto", "auto", "auto"];
    expect(heardBy(script({ maxRepeats: 0 }), auto)).toEqual([[queueMenu], [again(queueMenu)], comes, []]);
    const impatient = auto.map((say, index) => ({ say, at: after(index) }));
    expect(heardBy(script({ maxRepeats: 0 }), [...impatient, "1"])).toEqual([[queueMenu], [], [], [], [salesMenu]]);
  });
});

describe("the option tree", () => {
  test("the same number three times moves down three levels: that is no bot loop (Q-04)", () => {
    expect(heardBy(script(), ["1", "1", "1", "1"])).toEqual([[queueMenu], [salesMenu], [deepMenu], ["Texto 111"]]);
  });

  test("navigates down, back and to the start; navigation is no wrong answer (Q-04, Q-05)", () => {
    const sayings = ["oi", "1", "1", "0", "0", "1", "1", "#"];
    expect(heardBy(script({ maxRepeats: 1, quietMinutes: 60 }), sayings).flat()).toEqual([
      ...[queueMenu, salesMenu, deepMenu, salesMenu, queueMenu],
      ...[salesMenu, deepMenu, queueMenu],
    ]);
  });

  test("# is answered as often as it is sent (Q-04)", () => {
    expect(heardBy(script(), ["oi", "#", "#", "#", "#"]).flat()).toEqual(Array(5).fill(queueMenu));
  });

  test("a leaf sends its message and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "1", "1", "2"]).at(-1)).toMatchObject({
      sent: ["Texto 112"],
      queue: 1,
      outcome: "person",
    });
  });

  test.each([
    ["no words", { message: " " }],
    ["only a list of files", { message: "", fileListId: 5 }],
    [
      "only a file",
      { message: "", media: { path: "company/1/t.pdf", name: "t.pdf", type: "application/pdf", size: 9 } },
    ],
  ])("a leaf with %s says that a person comes (Q-04, B-03)", (_, change) => {
    const story = script({ queues: [queue(1, { options: [option(1, change)] }), queue(2)] });
    const last = play(story, ["oi", "1", "1"]).at(-1)!;
    expect(last).toMatchObject({ sent: comes, queue: 1, outcome: "person" });
    expect(last.decision.messages[0]?.media).toEqual("media" in change ? change.media : null);
  });

  test("a chosen queue without words says that a person comes (Q-04, B-03)", () => {
    const silent = script({ queues: [queue(1), queue(2, { greeting: "" })] });
    expect(play(silent, ["oi", "2", "e?"]).slice(1)).toMatchObject([
      { sent: comes, queue: 2, outcome: "person" },
      { sent: [], queue: 2, outcome: "person" },
    ]);
  });

  test("a queue without options greets and hands over (Q-04)", () => {
    expect(play(script(), ["oi", "2"])[1]).toMatchObject({ sent: ["Olá da fila 2"], queue: 2, outcome: "person" });
  });
});

describe("a script that is edited while a customer looks at its menu", () => {
  const [first, second] = tree as [BotOption, BotOption];
  const withTree = (...options: BotOption[]) => script({ queues: [queue(1, { options }), queue(2)] });
  /** What is said by the edited script to somebody who has said these before. */
  const saidAfter = (edited: BotScript, before: readonly string[], ...sayings: string[]) => {
    const { state } = play(script(), before).at(-1)!.decision;
    return heardBy(edited, sayings, { state, from: after(60) });
  };
  const submenu = ["oi", "1", "1"];

  test.each([
    ["deleted", withTree({ ...second, option: "1" }), "Olá da fila 1\n\n*[ 1 ]* - Opção 12"],
    ["moved", withTree({ ...second, children: [first] }), "Olá da fila 1\n\n*[ 2 ]* - Opção 12"],
    ["a leaf by now", withTree({ ...first, children: [] }, second), "Olá da fila 1\n\n*[ 1 ]* - Opção 11"],
  ])("whose submenu is %s sees the menu above it, by which the next number is read (Q-04, B-03)", (_, edited, menu) => {
    const [shown, chosen] = saidAfter(edited, submenu, "2", /\[ (\d)/u.exec(menu)![1]!);
    expect(shown).toEqual([expect.stringContaining(again(menu))]);
    expect(chosen).not.toEqual([expect.stringContaining(texts.notUnderstood)]);
    expect(saidAfter(edited, submenu, "0")).toEqual([[expect.stringContaining(menu)]]);
    expect(saidAfter(edited, [...submenu, "1"], "0")).toEqual([[expect.stringContaining(menu)]]);
    // It is no wrong answer.
    expect(saidAfter({ ...edited, maxRepeats: 1 }, submenu, "2", "x").at(-1)).toEqual([expect.stringContaining(menu)]);
  });

  test("a number means the line that was printed beside it; one that is gone shows the menu anew (Q-02, Q-04, B-03)", () => {
    const swapped = withTree({ ...second, option: "1" }, { ...first, option: "2" });
    expect(saidAfter(swapped, ["oi", "1"], "2")).toEqual([["Texto 12"]]);
    const without = withTree({ ...second, option: "1" });
    const shown = [again(salesMenu.replace("*[ 1 ]* - Opção 11\n*[ 2 ]*", "*[ 1 ]*"))];
    expect(saidAfter(without, ["oi", "1"], "2", "1")).toEqual([["Texto 12"], []]);
    expect(saidAfter(without, ["oi", "1"], "1", "1")).toEqual([shown, ["Texto 12"]]);
    expect(saidAfter(without, ["oi", "1"], "Opção 12")).toEqual([["Texto 12"]]);

    const queues = script({ queues: [queue(2), queue(1, { options: tree })] });
    expect(saidAfter(queues, ["oi"], "1")).toEqual([[salesMenu]]);
    expect(saidAfter(script({ queues: [queue(2), queue(3)] }), ["oi"], "1")).toEqual([
      [expect.stringContaining(`${texts.notUnderstood}\n\nBem-vindo\n\n*[ 1 ]* - Suporte`)],
    ]);
  });

  test("a state of the release before, without the printed lines, is read by the menu as it is (Q-04)", () => {
    const { shown: _, ...state } = play(script(), ["oi"]).at(-1)!.decision.state;
    expect(heardBy(script(), ["1"], { state: parseState(state), from: after(60) })).toEqual([[salesMenu]]);
  });
});

test("a line of a menu that is longer than a state keeps is chosen all the same (Q-04)", () => {
  const options = Array.from({ length: 1_001 }, (_, index) => option(index + 1, { option: `n${index + 1}` }));
  const long = script({ queues: [queue(1, { options }), queue(2)] });
  const { state } = play(long, ["oi", "1"]).at(-1)!.decision;
  expect(heardBy(long, ["n5"], { state: parseState(state), from: after(60) })).toEqual([["Texto 5"]]);
});

describe("the ways back and to a person", () => {
  test.each(["sair", "SAIR!", "atendente", "quero falar com um atendente", "exit", "agent", "salir", "agente"])(
    "%s stops the bot, which then is silent (Q-04, B-03)",
    (text) => {
      const turns = play(script(), ["oi", text, "ainda aí?", "sair", "1"]);
      expect(turns[1]).toMatchObject({ sent: comes, queue: null, outcome: "person" });
      expect(turns.slice(2)).toMatchObject([1, 2, 3].map(() => ({ sent: [], outcome: "person" })));
    },
  );

  test("stay open after a leaf, a queue without options, and giving up (B-03)", () => {
    expect(heardBy(script(), ["oi", "1", "2", "obrigada", "0"]).slice(3)).toEqual([[], [salesMenu]]);
    expect(heardBy(script(), ["oi", "1", "2", "#", "2"]).slice(3)).toEqual([[queueMenu], ["Olá da fila 2"]]);
    expect(heardBy(script(), ["oi", "2", "0"])[2]).toEqual([queueMenu]);
    expect(heardBy(script(), ["oi", "1", "2", "atendente", "sair"]).slice(3)).toEqual([comes, []]);
    expect(heardBy(script({ maxRepeats: 1 }), ["oi", "x", "y", "z", "#"]).slice(2)).toEqual([comes, [], [queueMenu]]);
  });

  test("are closed when a person has taken over, or a timer moved the ticket (B-03)", () => {
    const { state } = play(script(), ["oi", "1", "2"]).at(-1)!.decision;
    expect(heardBy(script(), ["#", "0", "sair"], { state: { ...state, isOver: true } })).toEqual([[], [], []]);
  });
});

describe("a ticket whose contact does not choose", () => {
  const story = script({ transfer: { afterMinutes: 5, queue: queue(2) } });

  test("is moved after the time, and the contact is told that the menu is dead (Q-07, B-03)", () => {
    const { state } = play(story, ["oi"])[0]!.decision;
    expect(decideTransfer(story, state, after(299)).messages).toEqual([]);
    const moved = decideTransfer(story, state, after(300));
    expect(moved).toMatchObject({ queueId: 2, outcome: "person" });
    expect(moved.messages.map(({ text }) => text)).toEqual([texts.moved({ hadMenu: true, hasPerson: true })]);
    expect(heardBy(story, ["1", "#"], { state: moved.state })).toEqual([[], []]);
  });

  test("is not moved before it had a menu, from a chosen queue, or without a queue to go to (Q-07)", () => {
    expect(decideTransfer(story, initialState, after(9_999)).messages).toEqual([]);
    const { state } = play(story, ["oi", "1"])[1]!.decision;
    expect(decideTransfer(story, state, after(9_999)).messages).toEqual([]);
    expect(decideTransfer(script(), play(script(), ["oi"])[0]!.decision.state, after(9_999)).messages).toEqual([]);
  });
});
