import type { QueueOption } from "@prosa/contract/queue-options";
import { expect, test } from "vitest";
import { countBelow, dropTarget, possibleParents, stepTarget, visibleRows, withOpen } from "./option-tree.ts";

const option = (id: number, parentId: number | null, position: number): QueueOption => ({
  id,
  queueId: 1,
  parentId,
  title: `Opção ${id}`,
  message: "",
  option: String(position + 1),
  position,
  mediaPath: null,
  mediaName: null,
  mediaUrl: null,
  fileListId: null,
  childrenCount: 0,
});

/** 1 ▸ (11 ▸ 111, 12), 2, 3 */
const tree = [
  option(3, null, 2),
  option(11, 1, 0),
  option(1, null, 0),
  option(111, 11, 0),
  option(12, 1, 1),
  option(2, null, 1),
];
const none: ReadonlySet<number> = new Set();

test("rows are in the order of the tree, and collapsed options hide their descendants (Q-02)", () => {
  const shown = (closed: ReadonlySet<number>) => visibleRows(tree, closed).map((row) => [row.option.id, row.depth]);
  expect(shown(none)).toEqual([
    [1, 1],
    [11, 2],
    [111, 3],
    [12, 2],
    [2, 1],
    [3, 1],
  ]);
  expect(shown(new Set([11]))).not.toContainEqual([111, 3]);
  expect(shown(new Set([1]))).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});

test.each([
  [2, "up", { parentId: null, position: 0 }],
  [2, "down", { parentId: null, position: 2 }],
  [2, "in", { parentId: 1, position: 2 }],
  [2, "out", undefined],
  [1, "up", undefined],
  [1, "in", undefined],
  [3, "down", undefined],
  [111, "out", { parentId: 1, position: 1 }],
  [12, "out", { parentId: null, position: 1 }],
  [12, "in", { parentId: 11, position: 1 }],
  [99, "up", undefined],
] as const)("%i one step %s goes to %j (Q-02)", (id, direction, target) => {
  expect(stepTarget(tree, id, direction)).toEqual(target);
});

test.each([
  [3, 1, "before", { parentId: null, position: 0 }],
  [1, 3, "after", { parentId: null, position: 2 }],
  [2, 11, "inside", { parentId: 11, position: 1 }],
  [2, 11, "after", { parentId: 1, position: 1 }],
  [11, 1, "inside", { parentId: 1, position: 1 }],
  [1, 111, "inside", undefined],
  [1, 1, "before", undefined],
] as const)("%i dropped on %i, %s, goes to %j (Q-02)", (id, over, place, target) => {
  expect(dropTarget(tree, id, over, place)).toEqual(target);
});

test("an option may move below every option but itself and its descendants (Q-02)", () => {
  expect(possibleParents(tree, 11).map((row) => row.option.id)).toEqual([1, 12, 2, 3]);
  expect(countBelow(tree, 1)).toBe(3);
});

test("what is put below a collapsed option is in sight (Q-02)", () => {
  expect([...withOpen(new Set([1, 11, 2]), tree, 11)]).toEqual([2]);
  expect([...withOpen(new Set([1]), tree, null)]).toEqual([1]);
});
