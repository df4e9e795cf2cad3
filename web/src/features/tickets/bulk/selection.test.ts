import { maxBulkSize } from "@prosa/contract/common";
import { expect, test } from "vitest";
import { toggleSelected } from "./selection.ts";

const rows = [10, 20, 30, 40, 50];

test("a click selects and deselects a row; with Shift it selects the range from the last one, both ways", () => {
  const one = toggleSelected({ ids: [], anchor: undefined }, rows, 20, false);
  expect(one.ids).toEqual([20]);
  const down = toggleSelected(one, rows, 40, true);
  expect(down.ids).toEqual([20, 30, 40]);
  expect(toggleSelected(down, rows, 10, true).ids).toEqual([20, 30, 40, 10]);
  expect(toggleSelected(down, rows, 30, false).ids).toEqual([20, 40]);
});

test("a range whose start has left the list selects one row", () => {
  expect(toggleSelected({ ids: [99], anchor: 99 }, rows, 30, true).ids).toEqual([99, 30]);
});

test("no more rows are selected than one bulk takes", () => {
  const many = Array.from({ length: 300 }, (_, index) => index);
  expect(toggleSelected({ ids: [0], anchor: 0 }, many, 299, true).ids).toHaveLength(maxBulkSize);
});
