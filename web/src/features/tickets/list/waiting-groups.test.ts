import { expect, test } from "vitest";
import { groupedItems, longWaitingCount, plainItems, type ListItem } from "./waiting-groups.ts";

const now = Date.parse("2026-11-21T15:00:00.000Z");
const waiting = (...minutes: (number | null)[]) =>
  minutes.map((each) => ({ waitingSince: each === null ? null : new Date(now - each * 60_000).toISOString() }));

test.each([
  [[88, 22, 15], 3],
  [[88, 22, 14.9, 1], 2],
  [[4, 1], 0],
  [[22, null], 1],
  [[], 0],
])("of those who wait for %j minutes, %i wait for long (Z-01)", (minutes, count) => {
  expect(longWaitingCount(waiting(...minutes), now)).toBe(count);
});

const shown = (items: readonly ListItem[]) =>
  items.map((item) => (item.kind === "row" ? item.index : `${item.group} ${item.count ?? "more"}`));

test.each([
  ["both groups", { rowCount: 3, longCount: 2, total: 3 }, ["long 2", 0, 1, "now 1", 2]],
  ["nobody for long", { rowCount: 2, longCount: 0, total: 2 }, ["now 2", 0, 1]],
  ["all for long", { rowCount: 2, longCount: 2, total: 2 }, ["long 2", 0, 1]],
  ["the second group is not loaded wholly", { rowCount: 3, longCount: 1, total: 90 }, ["long 1", 0, "now 89", 1, 2]],
  ["where the first group ends is not loaded", { rowCount: 2, longCount: 2, total: 90 }, ["long more", 0, 1]],
  ["nobody", { rowCount: 0, longCount: 0, total: 0 }, []],
])("who waits is in groups with counts: %s (Z-01)", (_, list, lines) => {
  expect(shown(groupedItems(list))).toEqual(lines);
});

test("any other list has no heads", () => {
  expect(shown(plainItems(2))).toEqual([0, 1]);
});
