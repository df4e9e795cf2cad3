import { expect, test } from "vitest";
import { foldChips, type RowChip } from "./fold-chips.ts";

const chips = (...labels: string[]): RowChip[] => labels.map((label) => ({ key: label, label, tint: "#1f7ae0" }));
const tenEach = (text: string) => text.length * 10;
const labels = (some: readonly RowChip[]) => some.map(({ label }) => label);

test.each([
  ["all fit", ["aa", "bb"], 200, ["aa", "bb"], []],
  // 44 px each and 5 between; "+1" takes 30
  ["exactly", ["aa", "bb", "cc"], 142, ["aa", "bb", "cc"], []],
  ["one pixel less", ["aa", "bb", "cc"], 141, ["aa", "bb"], ["cc"]],
  ["the count itself needs room", ["aa", "bb", "cc"], 110, ["aa"], ["bb", "cc"]],
  ["the first one stays, cut off", ["a very long name of a queue", "bb"], 60, ["a very long name of a queue"], ["bb"]],
])("a row shows what fits of its chips and counts the others: %s (T-04)", (_, all, room, shown, folded) => {
  const result = foldChips(chips(...all), room, tenEach);
  expect([labels(result.shown), labels(result.folded)]).toEqual([shown, folded]);
});

test("a chip is at most as wide as it is drawn (T-04)", () => {
  const long = "x".repeat(40);
  expect(labels(foldChips(chips(long, "bb"), 160 + 5 + 44, tenEach).shown)).toEqual([long, "bb"]);
});
