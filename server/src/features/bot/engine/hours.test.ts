import { defaultSchedules } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import {
  heardBy,
  night,
  option,
  play,
  queue,
  queueMenu,
  salesMenu,
  script,
  texts,
  tree,
  working,
} from "./script.fixture.ts";

const later = (minutes: number, from = night) => new Date(from.getTime() + minutes * 60_000);
const tomorrow = texts.outOfHours({ weekday: "thursday", daysAhead: 1, clock: "08:00" });
const comes = texts.waitForPerson;

describe("out of hours", () => {
  const closed = script({ scheduleType: "company" });

  test("the company's message is sent once per hour, and the ticket waits (Q-06)", () => {
    const turns = play(closed, [
      { say: "oi", at: night },
      { say: "alguém?", at: later(10) },
      { say: "e agora?", at: later(61) },
    ]);
    expect(turns.map(({ sent, outcome }) => [sent, outcome])).toEqual([
      [["Voltamos amanhã"], "person"],
      [[], "person"],
      [["Voltamos amanhã"], "person"],
    ]);
  });

  test("without a text anywhere it says when it opens (Q-06, B-03)", () => {
    expect(tomorrow).toBe(
      "Estamos fechados agora. Abrimos amanhã às 08:00. Pode escrever: a sua mensagem fica guardada.",
    );
    expect(heardBy(script({ scheduleType: "company", outOfHoursMessage: " " }), ["oi"], { from: night })).toEqual([
      [tomorrow],
    ]);
    const own = script({ scheduleType: "queue", outOfHoursMessage: "" });
    expect(heardBy(own, ["oi", "2"], { from: night })).toEqual([[queueMenu], [tomorrow]]);
  });

  test("sair while closed promises nobody, and is answered (B-03)", () => {
    expect(heardBy(closed, ["oi", "sair", "sair", "oi?"], { from: night })).toEqual([
      ["Voltamos amanhã"],
      [tomorrow],
      [],
      [],
    ]);
    expect(heardBy(closed, ["sair"], { from: night })).toEqual([["Voltamos amanhã"]]);
  });

  test("after a closed queue the other lines of its menu still lead somewhere (B-03, Q-06)", () => {
    const never = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "00:00" }));
    const queues = [queue(1, { options: tree }), queue(2, { schedules: never })];
    const half = script({ scheduleType: "queue", queues });
    expect(heardBy(half, ["oi", "2", "tem alguém?", "2", "1"])).toEqual([
      [queueMenu],
      ["Voltamos amanhã"],
      [],
      [],
      [salesMenu],
    ]);
  });

  test("where each queue is closed, neither sair nor giving up at their menu promises a person (B-03)", () => {
    const early = defaultSchedules.map((day) => ({ ...day, startTime: "07:30" }));
    const queues = [queue(1, { options: tree }), queue(2, { schedules: early })];
    const asleep = script({ scheduleType: "queue", outOfHoursMessage: "", maxRepeats: 1, queues });
    const opens = texts.outOfHours({ weekday: "thursday", daysAhead: 1, clock: "07:30" });
    expect(heardBy(asleep, ["oi", "sair"], { from: night })).toEqual([[queueMenu], [opens]]);
    expect(heardBy(asleep, ["oi", "xyz", "zyx"], { from: night }).at(-1)).toEqual([opens]);
    expect(heardBy(asleep, ["oi", "sair"])).toEqual([[queueMenu], [comes]]);
  });

  test("sair within seconds of the plain sentence gets not the same sentence again (B-01)", () => {
    const plain = script({ scheduleType: "company", outOfHoursMessage: "" });
    const sair = (seconds: number) => [
      { say: "oi", at: night },
      { say: "sair", at: later(seconds / 60) },
    ];
    expect(heardBy(plain, sair(4))).toEqual([[tomorrow], []]);
    expect(heardBy(plain, sair(5))).toEqual([[tomorrow], [tomorrow]]);
    expect(play(plain, sair(4)).at(-1)?.decision.state).toMatchObject({ place: "waiting", toldToWait: true });
  });

  test("whoever waits for a person when it closes is told so, once per hour (Q-06, B-03)", () => {
    const sayings = [
      { say: "oi", at: working },
      { say: "2", at: later(1, working) },
      { say: "alguém?", at: night },
      { say: "??", at: later(5) },
    ];
    expect(heardBy(closed, sayings).slice(2)).toEqual([["Voltamos amanhã"], []]);
  });

  test("a queue's own hours apply once it is chosen, with its own message (Q-06)", () => {
    const own = script({
      scheduleType: "queue",
      queues: [queue(1, { outOfHoursMessage: "Vendas volta às 8" }), queue(2)],
    });
    expect(heardBy(own, ["oi", "1"], { from: night })).toEqual([[queueMenu], ["Vendas volta às 8"]]);
    expect(heardBy(own, ["oi", "2"], { from: night })[1]).toEqual(["Voltamos amanhã"]);
  });

  test.each(["#", "0"])("in a closed queue %s leads back to the other queues (Q-04, Q-06)", (back) => {
    const shut = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "00:00" }));
    const own = script({ scheduleType: "queue", queues: [queue(1, { schedules: shut, options: tree }), queue(2)] });
    expect(play(own, ["oi", "1", back, "2"])).toMatchObject([
      { sent: [queueMenu], queue: null, outcome: "bot" },
      { sent: ["Voltamos amanhã"], queue: 1, outcome: "person" },
      { sent: [queueMenu], queue: null, outcome: "bot" },
      { sent: ["Olá da fila 2"], queue: 2, outcome: "person" },
    ]);
  });

  test("another choice of a closed queue within the hour gets the plain sentence, the same one again nothing (Q-06, B-03)", () => {
    const own = script({ scheduleType: "queue" });
    expect(heardBy(own, ["oi", "1", "1", "#", "1", "2"], { from: night })).toEqual([
      [queueMenu],
      ["Voltamos amanhã"],
      [],
      [queueMenu],
      [tomorrow],
      [tomorrow],
    ]);
  });

  test("the same text all night is no bot loop: the menu is sent in the morning (Q-05, Q-06)", () => {
    const sayings = [...["oi", "oi", "oi"].map((say) => ({ say, at: night })), { say: "oi", at: later(600) }];
    expect(heardBy(closed, [...sayings, { say: "2", at: later(601) }])).toEqual([
      ["Voltamos amanhã"],
      [],
      [],
      [queueMenu],
      ["Olá da fila 2"],
    ]);
  });

  test("a customer who chose a closed queue gets its greeting when it opens, and no wrong answer is counted (Q-04, Q-06)", () => {
    const own = script({ scheduleType: "queue", maxRepeats: 1, queues: [queue(1, { options: tree }), queue(2)] });
    const morning = { say: "bom dia", at: later(600) };
    expect(play(own, ["oi", "2", morning], { from: night }).at(-1)).toMatchObject({
      sent: ["Olá da fila 2"],
      outcome: "person",
    });
    const sayings = ["oi", "1", morning, { say: "2", at: later(601) }];
    expect(heardBy(own, sayings, { from: night }).slice(2)).toEqual([[salesMenu], ["Texto 12"]]);
  });

  test("a menu from before the night is shown again in the morning, and its numbers still count (Q-06)", () => {
    const sayings = (last: string) => [
      { say: "oi", at: working },
      { say: "alguém?", at: night },
      { say: last, at: later(600) },
    ];
    expect(heardBy(closed, sayings("bom dia")).at(-1)).toEqual([queueMenu]);
    expect(heardBy(closed, sayings("1")).at(-1)).toEqual([salesMenu]);
  });

  test("within the opening hours the menu is sent (Q-06)", () => {
    expect(heardBy(closed, ["oi"])).toEqual([[queueMenu]]);
  });
});

describe("a company that is not served", () => {
  test.each([
    ["is switched off", { isActive: false, endsAt: null }],
    ["is overdue", { isActive: true, endsAt: working }],
  ])("%s: no menu, and no promise of a person (B-03)", (_, service) => {
    const heard = heardBy(script({ service }), ["oi", "1", "sair"]);
    expect(heard).toEqual([[texts.notServed], [], [texts.notServed]]);
  });

  test("a due date that is still to come changes nothing", () => {
    const service = { isActive: true, endsAt: later(60, working) };
    expect(heardBy(script({ service }), ["oi"])).toEqual([[queueMenu]]);
    expect(
      heardBy(script({ service, queues: [queue(1, { options: [option(1, { message: "" })] })] }), ["oi", "1"])[1],
    ).toEqual([comes]);
  });
});
