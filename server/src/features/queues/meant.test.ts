import { expect, test } from "vitest";
import { meant, plainLetters } from "./meant.ts";

test.each([
  ["1️⃣", "1"],
  ["１", "1"],
  ["\u200e2\u200b", "2"],
  ["[ 1 ]", "1"],
  ["*1*", "1"],
  ["2.", "2"],
  ["SAIR!", "sair"],
  ["#️⃣", "#"],
  ["0️⃣", "0"],
  ["?", "?"],
  ["👍🏽", "👍🏽"],
  ["1 2", "1 2"],
  ["\u200b", ""],
])("%j means %j (Q-04)", (text, meaning) => {
  expect(meant(text)).toBe(meaning);
});

test("a mark of the rating may be an emoji, but stands bare (Q-09)", () => {
  expect(["3️⃣", " 3 ", "3!", "*3*"].map(plainLetters)).toEqual(["3", "3", "3!", "*3*"]);
});
