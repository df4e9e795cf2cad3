import { expect, test } from "vitest";
import { keyOf, keyProblem } from "./variables.ts";

const variables = [{ key: "cupom", value: "NATAL10" }];

test.each([
  ["site", undefined],
  ["{site}", undefined],
  ["loja-2", undefined],
  ["promoção_de_natal", undefined],
  ["", "keyMissing"],
  [" {} ", "keyMissing"],
  ["dois nomes", "keyWrong"],
  ["a".repeat(41), "keyWrong"],
  ["CUPOM", "keyTaken"],
  ["{número}", "keyTaken"],
])("the key %j: %j (K-08)", (written, problem) => {
  expect(keyProblem(written, variables)).toBe(problem);
});

test("braces around a key are not part of it (K-08)", () => {
  expect([keyOf("{cupom}"), keyOf(" cupom "), keyOf("{{cupom}}")]).toEqual(["cupom", "cupom", "cupom"]);
});
