import { paletteColors } from "@prosa/contract/colors";
import { expect, test } from "vitest";
import { freeColor, nextCell } from "./palette.ts";

test("a new queue or tag gets the first colour that no other has (Q-01, O-04)", () => {
  expect(freeColor([])).toBe(paletteColors[0]);
  expect(freeColor([paletteColors[0], paletteColors[1]])).toBe(paletteColors[2]);
  expect(freeColor(paletteColors)).toBe(paletteColors[0]);
});

test.each([
  [0, "ArrowRight", 14, 1],
  [0, "ArrowDown", 14, 14],
  [0, "ArrowUp", 14, undefined],
  [48, "ArrowRight", 7, undefined],
  [7, "ArrowUp", 7, 0],
  [7, "a", 7, undefined],
])("from cell %i the key %s with %i columns leads to %s (Q-01)", (at, key, columns, next) => {
  expect(nextCell(at, key, columns)).toBe(next);
});
