import { expect, test } from "vitest";
import type { BotOption, BotQueue } from "../bot.script.ts";
import { matchOption, matchQueue, readMenuAnswer } from "./menu-answer.ts";

test.each([
  ["#️⃣", "mainMenu"],
  ["*[ 0 ]*", "previousMenu"],
  ["Sair.", "stop"],
  ["1", undefined],
  ["", undefined],
])("%j is the command %s (Q-04)", (text, command) => {
  expect(readMenuAnswer(text).command).toBe(command);
});

test("a queue is chosen by its number in the menu, an option by its answer (Q-03, Q-04)", () => {
  const queues = [{ id: 7 }, { id: 9 }] as BotQueue[];
  expect(["2", "[2]", "0", "3", "dois"].map((text) => matchQueue(queues, readMenuAnswer(text))?.id)).toEqual([
    9,
    9,
    undefined,
    undefined,
    undefined,
  ]);
  const options = [{ id: 4, option: "Sim" }] as BotOption[];
  expect(["SIM!", "não"].map((text) => matchOption(options, readMenuAnswer(text))?.id)).toEqual([4, undefined]);
});
