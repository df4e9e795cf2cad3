import { expect, test } from "vitest";
import type { DesiredLine } from "./leases.queries.ts";
import { hasSurplus, balanceOf, linesToOpen } from "./line-balancing.ts";

function aLine(id: number, owner: string | null, given: Partial<DesiredLine> = {}): DesiredLine {
  return {
    id,
    companyId: 1,
    provider: "beta",
    wanted: "up",
    round: 0,
    pairingNumber: null,
    number: null,
    status: "CONNECTED",
    reason: null,
    isCompanyActive: true,
    isLeased: owner !== null,
    owner,
    ...given,
  };
}

/** `lines("a", "a", null)`: lines 1 and 2 are of a, 3 is free. */
const lines = (...owners: readonly (string | null)[]) => owners.map((owner, index) => aLine(index + 1, owner));

test("alone, a process opens all lines", () => {
  const free = lines(null, null, null);
  expect(linesToOpen(free, balanceOf("a", [], free), never, never)).toHaveLength(3);
});

test("of several processes each opens its fair share, the last one less", () => {
  const all = lines("a", null, null, null, null);
  const free = all.filter(({ isLeased }) => !isLeased);
  expect(ids(linesToOpen(free, balanceOf("a", ["b"], all), never, never))).toEqual([2, 3]);
  expect(ids(linesToOpen(free, balanceOf("b", ["a"], all), never, never))).toEqual([2, 3, 4]);
});

test("a process with its fair share opens only overdue lines, and never the one that it has just handed over", () => {
  const all = lines("a", "a", null, null);
  const free = all.filter(({ isLeased }) => !isLeased);
  const balance = balanceOf("a", ["b"], all);
  expect(linesToOpen(free, balance, never, never)).toEqual([]);
  expect(ids(linesToOpen(free, balance, never, (id) => id === 4))).toEqual([4]);
  expect(linesToOpen(lines(null), balanceOf("a", [], lines(null)), (id) => id === 1, never)).toEqual([]);
});

test.each([
  [["a", "a"], ["b"], true],
  [["a"], ["b"], false],
  [["a", "a", "b"], ["b"], false],
  [["a", "a", "b", "b", "b", "b"], ["b"], false],
  [["a", "a", "b", "b"], ["b", "c"], true],
])("with %j held, a process beside %j has a surplus: %s", (held, neighbours, expected) => {
  expect(hasSurplus(balanceOf("a", neighbours, lines(...held)))).toBe(expected);
});

test("of two processes with the same surplus one hands over at a time", () => {
  const all = lines("a", "a", "b", "b");
  expect(hasSurplus(balanceOf("b", ["a", "c"], all))).toBe(false);
});

test("lines of the simulator, and those that are wanted down, are not counted", () => {
  const all = [
    aLine(1, "a", { provider: "simulator" }),
    aLine(2, "a", { provider: "simulator" }),
    aLine(3, null, { wanted: "down" }),
  ];
  expect(balanceOf("a", ["b"], all)).toEqual({ own: 0, fairShare: 0, smallest: 0, isLargest: true });
  const free = [aLine(4, null, { provider: "simulator" })];
  expect(linesToOpen(free, balanceOf("a", ["b"], all), never, never)).toEqual(free);
});

test("from any distribution, handing over one line at a time ends balanced, with no line moved twice", () => {
  const names = ["a", "b", "c", "d"];
  for (const start of [
    [9, 0, 0, 0],
    [5, 5, 0, 0],
    [1, 8, 1, 3],
    [2, 2, 2, 2],
    [7, 0, 0, 1],
  ]) {
    const held = start.flatMap((count, index) => Array.from({ length: count }, () => names[index] ?? ""));
    const giver = () =>
      names.find((me) =>
        hasSurplus(
          balanceOf(
            me,
            names.filter((name) => name !== me),
            lines(...held),
          ),
        ),
      );
    const moved = new Set<number>();
    for (let from = giver(); from !== undefined; from = giver()) {
      const line = held.lastIndexOf(from);
      const counts = names.map((name) => held.filter((owner) => owner === name).length);
      held[line] = names[counts.indexOf(Math.min(...counts))] ?? "";
      expect(moved.has(line)).toBe(false);
      moved.add(line);
    }
    const counts = names.map((name) => held.filter((owner) => owner === name).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(2);
  }
});

function never(): boolean {
  return false;
}

function ids(lines: readonly DesiredLine[]): number[] {
  return lines.map(({ id }) => id);
}
