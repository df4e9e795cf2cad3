import { expect, test } from "vitest";
import { variantInTurn } from "./variants.ts";

test("blank texts are left out, and each keeps its number (K-05)", () => {
  const texts = ["", "b", " ", "d", "\u200b"];
  expect([0, 1, 2, 3].map((count) => variantInTurn(texts, count, 0)?.number)).toEqual([2, 4, 2, 4]);
  expect(variantInTurn(["", "", "", "", ""], 3, 1)).toBeUndefined();
});

test("all are used evenly over all lines, however the contacts are dealt to them (K-05)", () => {
  const texts = ["a", "b", "c"];
  const handed = [411, 1, 588, 0, 37];
  const uses = new Map<number, number>();
  handed.forEach((count, position) => {
    for (let index = 0; index < count; index += 1) {
      const { number } = variantInTurn(texts, index, position)!;
      uses.set(number, (uses.get(number) ?? 0) + 1);
    }
  });
  const total = handed.reduce((sum, count) => sum + count, 0);
  for (const used of uses.values()) {
    expect(Math.abs(used - total / 3) / total).toBeLessThan(0.02);
  }
});
