import { defaultSchedules } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import type { BotScript, BotState } from "../bot.script.ts";
import { initialState, textMessage } from "../bot.script.ts";
import { answerAsAssistant } from "./assistant-turns.ts";
import { parseState, stateOfNewEpisode } from "./bot-state.ts";
import { decideTurn } from "./engine.ts";
import {
  heardBy,
  night,
  photo,
  play,
  queue,
  queueMenu,
  saidOf,
  script,
  sticker,
  texts,
  working,
} from "./script.fixture.ts";

const assistant = { kind: "prompt", id: 9 } as const;
const ofConnection = script({ assistant });
const ofQueue = (greeting = "") => script({ queues: [queue(1, { assistant, greeting }), queue(2)] });

/** Says something with this message id. */
function say(story: BotScript, state: BotState, messageId: number, text: string, at = working) {
  return decideTurn(story, state, { said: saidOf(text, at).map((each) => ({ ...each, messageId })), at });
}

/** Where a customer's texts lead, one so many seconds after each answer of the connection's assistant. */
function talk(sayings: readonly string[], reply: (turn: number) => string, { seconds = 0, from = initialState } = {}) {
  let state = from;
  return sayings.map((text, turn) => {
    const at = new Date(working.getTime() + turn * seconds * 1_000);
    const asked = say(ofConnection, state, turn + 1, text, at);
    const messages = [{ text: reply(turn), media: null, fileListId: null }];
    const answer = { messages, handsOver: false, answered: [turn + 1], at };
    // As the ticket keeps it.
    const next = asked.outcome === "assistant" ? answerAsAssistant(ofConnection, asked.state, answer) : asked;
    state = parseState(next.state);
    return asked.outcome;
  });
}

describe("an assistant", () => {
  test("of the connection answers before any queue is chosen, and is given everything (B-04, Q-03)", () => {
    const first = say(ofConnection, initialState, 1, "oi");
    expect(first).toMatchObject({ outcome: "assistant", asksAssistant: true, messages: [] });
    const second = say(ofConnection, first.state, 2, "e a entrega?");
    expect(second.state).toMatchObject({ place: "assistant", assistant, unanswered: [1, 2] });
  });

  test("of a queue takes over after its greeting, or at once where it has none (B-04)", () => {
    const greeted = play(ofQueue("Sou a Lia"), ["oi", "1", "quanto custa?"]);
    expect(greeted[1]).toMatchObject({ sent: ["Sou a Lia"], outcome: "assistant", decision: { asksAssistant: false } });
    expect(greeted[2]).toMatchObject({ sent: [], queue: 1, decision: { asksAssistant: true } });
    expect(play(ofQueue(), ["oi", "1"])[1]?.decision.asksAssistant).toBe(true);
  });

  test("is given media, and no text is a wrong answer to it (B-04)", () => {
    const turns = play(ofConnection, ["a", [photo, "b"], "c", "d", "e"]);
    expect(turns.every(({ decision, sent }) => decision.asksAssistant && sent.length === 0)).toBe(true);
  });

  test("lets go on #, 0, a stop word and a loop (B-04)", () => {
    expect(heardBy(ofConnection, ["oi", "#"])[1]).toEqual([queueMenu]);
    expect(heardBy(ofQueue("Sou a Lia"), ["oi", "1", "0"])[2]).toEqual([expect.stringContaining("*[ 1 ]* - Vendas")]);
    expect(play(ofConnection, ["oi", "atendente"])[1]).toMatchObject({
      sent: [texts.waitForPerson],
      outcome: "person",
    });
    expect(play(ofConnection, ["x", "x", "x"])[2]).toMatchObject({ sent: [texts.waitForPerson], outcome: "person" });
  });

  test.each(["1", "sim", "não", "2 por favor"])(
    "is told %j at each of its questions: that is no bot loop (B-04, O-09)",
    (text) => {
      expect(talk([text, text, text, text, text], (turn) => `Pergunta ${turn}`)).toEqual(Array(5).fill("assistant"));
    },
  );

  test("that says nothing itself, or by the API, cuts off nobody (B-04, O-09)", () => {
    expect(talk(["1", "1", "1", "1"], () => "")).toEqual(Array(4).fill("assistant"));
  });

  test("is left by a machine: the same sentence, whatever it says, or a number that leads nowhere (B-04, Q-05)", () => {
    const sentence = "No momento não podemos atender";
    expect(talk(Array(3).fill(sentence), (turn) => `Pergunta ${turn}`)).toEqual(["assistant", "assistant", "person"]);
    // Its first answer led to the question.
    const outcomes = talk(["1", "1", "1", "1"], () => "Qual número?");
    expect(outcomes).toEqual(["assistant", "assistant", "assistant", "person"]);
  });

  describe("and a machine that varies its words", () => {
    const autoReply = (turn: number) => `Obrigado pelo seu contato! O seu protocolo é ${turn}. Em breve retornaremos.`;
    const texts = (count: number, text = autoReply) => Array.from({ length: count }, (_, turn) => text(turn));
    const reply = (turn: number) => `Pergunta ${turn}`;
    /** After how many answers of the assistant a person is called; undefined: never. */
    const answersBeforePerson = (...args: Parameters<typeof talk>) => {
      const index = talk(...args).indexOf("person");
      return index === -1 ? undefined : index;
    };

    test("part when it has written faster than anybody can fifteen times in a row (B-04, Q-05)", () => {
      expect(answersBeforePerson(texts(30), reply, { seconds: 3 })).toBe(15);
      // The second bot thinks: 200 letters after ten seconds.
      const long = texts(30, (turn) => `${turn} ${"palavra ".repeat(25)}`);
      expect(answersBeforePerson(long, reply, { seconds: 10 })).toBe(15);
    });

    test("part after sixty answers, however slowly it writes, also where each one ends the conversation (B-04, Q-05)", () => {
      expect(answersBeforePerson(texts(70), reply, { seconds: 50 })).toBe(60);
      const { state } = say(ofConnection, initialState, 1, "oi");
      const closing = { messages: [textMessage("Até logo!")], handsOver: false, closes: true, answered: [1] };
      let before = answerAsAssistant(ofConnection, state, { ...closing, at: working }).state;
      for (let episode = 2; episode <= 60; episode += 1) {
        const asked = say(ofConnection, stateOfNewEpisode(before, working), 1, autoReply(episode));
        expect(asked).toMatchObject({ asksAssistant: true });
        before = answerAsAssistant(ofConnection, asked.state, { ...closing, at: working }).state;
      }
      const from = stateOfNewEpisode(before, working);
      expect(say(ofConnection, from, 1, "Obrigado")).toMatchObject({ outcome: "person", asksAssistant: false });
      expect(stateOfNewEpisode(before, new Date(working.getTime() + 3_600_000))).toBe(initialState);
    });

    test("part in the queue that was chosen with the word that one too many was (B-04, Q-05)", () => {
      const story = { ...ofQueue(), assistant };
      const state = {
        ...initialState,
        place: "queues",
        assistantAnswers: 60,
        answeredAt: working.toISOString(),
      } as const;
      expect(say(story, state, 1, "1")).toMatchObject({
        outcome: "person",
        queueId: 1,
        state: { queueId: 1, path: [] },
      });
    });

    test("are no person who answers at once, types fast, pastes now and then, or comes back every hour (B-04)", () => {
      const quick = texts(50, (turn) => ["sim, isso", "1", "pode ser amanhã?"][turn % 3]!);
      expect(answersBeforePerson(quick, reply, { seconds: 1 })).toBeUndefined();
      // 60 letters in seven seconds.
      const typed = texts(50, (turn) => `${turn} quero saber se a entrega chega antes de sexta-feira cedo`);
      expect(answersBeforePerson(typed, reply, { seconds: 7 })).toBeUndefined();
      const pasted = texts(50, (turn) => (turn % 10 === 9 ? "ok" : autoReply(turn)));
      expect(answersBeforePerson(pasted, reply, { seconds: 3 })).toBeUndefined();
      expect(answersBeforePerson(texts(100), reply, { seconds: 3_600 })).toBeUndefined();
    });

    test("are not told apart by words that came while it thought, or to one that is silent here (B-04, O-09)", () => {
      let { state } = say(ofConnection, initialState, 1, "oi");
      for (let burst = 2; burst < 40; burst += 1) {
        ({ state } = say(ofConnection, state, burst, autoReply(burst)));
      }
      expect(state).toMatchObject({ place: "assistant", quickTurns: 0 });
      expect(answersBeforePerson(texts(100), () => "", { seconds: 1 })).toBeUndefined();
    });
  });

  test("of the only queue is asked together with its greeting, unless nothing was asked (B-04)", () => {
    const story = script({ queues: [queue(1, { assistant, greeting: "Sou a Lia" })] });
    const greeted = { sent: ["Sou a Lia"], outcome: "assistant" };
    const asked = { ...greeted, decision: { asksAssistant: true, state: { unanswered: [1, 1, 1, 1] } } };
    expect(play(story, [["oi", "quanto custa o plano X?", photo, "é urgente"]])[0]).toMatchObject(asked);
    expect(play(story, [photo])[0]?.decision).toMatchObject({ asksAssistant: true, state: { unanswered: [1] } });
    for (const nothing of ["oi", "bom dia!", "🙂", "1", "Vendas", ["oi", sticker]] as const) {
      expect(play(story, [nothing])[0]).toMatchObject({ ...greeted, decision: { asksAssistant: false } });
    }
    // Of several queues, what stands beside the choice.
    const chosen = play(ofQueue("Sou a Lia"), ["oi", ["1", "quanto custa?"]])[1];
    expect(chosen).toMatchObject({ ...greeted, queue: 1, decision: { asksAssistant: true } });
  });

  test("that the queue no longer has gives way to its menu (B-04)", () => {
    const { state } = play(ofQueue("Sou a Lia"), ["oi", "1"])[1]!.decision;
    const without = script({ queues: [queue(1, { greeting: "Olá" }), queue(2)] });
    expect(heardBy(without, ["e?"], { state })).toEqual([["Olá"]]);
  });

  test("out of hours is not asked, and is given later what was said (B-04, Q-06)", () => {
    const story = script({ assistant, scheduleType: "company" });
    const open = say(story, initialState, 1, "oi");
    const closed = decideTurn(story, open.state, {
      said: saidOf("alô?", night).map((s) => ({ ...s, messageId: 2 })),
      at: night,
    });
    expect(closed).toMatchObject({ asksAssistant: false, messages: [{ text: "Voltamos amanhã" }] });
    expect(closed.state.unanswered).toEqual([1, 2]);
  });

  test("owes its answer since it was asked, not since what it is given was said; each answer begins anew (B-04)", () => {
    const story = script({ assistant, scheduleType: "company" });
    const said = (text: string, at: Date) => saidOf(text, at).map((each) => ({ ...each, messageId: at.getTime() }));
    const turn = (state: BotState, at: Date) => decideTurn(story, state, { said: said("oi", at), at }).state;
    const morning = new Date("2026-11-19T11:05:00Z");
    const reply = { messages: [], handsOver: false, answered: [night.getTime(), morning.getTime()] };
    const [next, later] = [1, 2].map((minutes) => new Date(morning.getTime() + minutes * 60_000)) as [Date, Date];

    const remembered = turn({ ...initialState, place: "assistant", assistant }, night);
    expect(remembered).toMatchObject({ unanswered: [night.getTime()], askedAt: null });
    const asked = turn(remembered, morning);
    expect(asked.askedAt).toBe(morning.toISOString());
    const again = turn(asked, next);
    expect(again.askedAt).toBe(morning.toISOString());
    expect(answerAsAssistant(story, again, { ...reply, at: later }).state.askedAt).toBe(later.toISOString());
    const all = [...reply.answered, next.getTime()];
    expect(answerAsAssistant(story, again, { ...reply, answered: all, at: later }).state.askedAt).toBeNull();
    expect(answerAsAssistant(story, again, { ...reply, handsOver: true, at: later }).state.askedAt).toBeNull();
  });
});

describe("an assistant's answer", () => {
  const asked: BotState = { ...initialState, place: "assistant", assistant, queueId: 1, unanswered: [1, 2, 3] };
  const answer = {
    messages: [{ text: "R$ 10", media: null, fileListId: null }],
    handsOver: false,
    answered: [1, 2],
    at: working,
  };

  test("leaves what arrived meanwhile to the next one (B-04)", () => {
    const next = answerAsAssistant(ofQueue(), asked, answer);
    expect(next).toMatchObject({ outcome: "assistant", messages: answer.messages, state: { unanswered: [3] } });
  });

  test("gives the conversation to an agent, or ends it, which needs no words (O-09)", () => {
    const silent = { ...answer, messages: [] };
    expect(answerAsAssistant(ofQueue(), asked, { ...silent, userId: 7, queueId: 2 })).toMatchObject({
      outcome: "person",
      queueId: 2,
      messages: [{ text: texts.waitForPerson }],
    });
    expect(answerAsAssistant(ofQueue(), asked, { ...silent, answered: [1, 2, 3], closes: true })).toMatchObject({
      outcome: "person",
      messages: [],
      state: { place: "waiting", assistant: null },
    });
  });

  test("ends nothing while something is unanswered: its words are sent, and it is asked again (O-09, B-04)", () => {
    const closing = { ...answer, closes: true };
    expect(answerAsAssistant(ofQueue(), asked, closing)).toMatchObject({
      outcome: "assistant",
      messages: answer.messages,
      state: { place: "assistant", unanswered: [3] },
    });
    expect(answerAsAssistant(ofQueue(), asked, { ...closing, answered: [1, 2, 3] }).outcome).toBe("person");
  });

  test("promises nobody of a closed queue that the connection does not list (B-03, B-04, Q-06)", () => {
    const elsewhere = { id: 3, outOfHoursMessage: "Amanhã às 9", schedules: defaultSchedules };
    const story = { ...ofQueue(), scheduleType: "queue", otherQueues: [elsewhere] } as const;
    const over = { ...answer, handsOver: true, queueId: 3, promise: "Já vem alguém." };
    expect(answerAsAssistant(story, asked, over).messages).toMatchObject([{ text: "R$ 10 Já vem alguém." }]);
    const waiting = answerAsAssistant(story, asked, { ...over, at: night });
    expect(waiting.messages).toMatchObject([{ text: "R$ 10" }, { text: "Amanhã às 9" }]);
    // And whoever writes again, later in the night, is told so again.
    const later = new Date(night.getTime() + 2 * 3_600_000);
    const again = decideTurn(story, waiting.state, { said: saidOf("alô?", later), at: later });
    expect(again).toMatchObject({ outcome: "person", queueId: 3, messages: [{ text: "Amanhã às 9" }] });
  });

  test("hands over to its queue; a silent one says that a person comes, unless it is closed (B-04, B-03)", () => {
    const over = { ...answer, handsOver: true };
    expect(answerAsAssistant(ofQueue(), asked, { ...over, queueId: 2 })).toMatchObject({
      outcome: "person",
      queueId: 2,
      messages: answer.messages,
      state: { place: "waiting", assistant: null, unanswered: [] },
    });
    const silent = { ...over, messages: [] };
    expect(answerAsAssistant(ofQueue(), asked, silent).messages).toMatchObject([{ text: texts.waitForPerson }]);
    const closed = { ...ofQueue(), scheduleType: "company" } as const;
    expect(answerAsAssistant(closed, asked, { ...silent, at: night }).messages).toMatchObject([
      { text: "Voltamos amanhã" },
    ]);
    // words promise nobody either: of the queue that it goes to, the hours count
    const ask = (change: object) =>
      answerAsAssistant({ ...ofQueue(), ...change }, asked, {
        ...over,
        queueId: 2,
        promise: "Já vem alguém.",
        at: night,
      });
    expect(ask({}).messages).toMatchObject([{ text: "R$ 10 Já vem alguém." }]);
    const hours = { scheduleType: "queue", queues: [queue(1), queue(2, { outOfHoursMessage: "Amanhã às 8" })] };
    expect(ask(hours)).toMatchObject({
      outcome: "person",
      queueId: 2,
      messages: [{ text: "R$ 10" }, { text: "Amanhã às 8" }],
      state: { place: "waiting", toldToWait: true, outOfHoursAt: night.toISOString() },
    });
  });
});
