import { expect, test } from "vitest";
import { foldText, normalizeAnswer } from "./normalize-answer.ts";

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
])("the answer %j is normalized to %j (Q-04)", (text, normalized) => {
  expect(normalizeAnswer(text)).toBe(normalized);
});

test("a rating may be an emoji, but without other marks around it (Q-09)", () => {
  expect(["3️⃣", " 3 ", "3!", "*3*"].map(foldText)).toEqual(["3", "3", "3!", "*3*"]);
});
