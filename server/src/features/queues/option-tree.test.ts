import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isAnswerFree,
  isNumberedInOrder,
  isWithin,
  moveTo,
  nextFreeNumber,
  renumber,
  subtreeOf,
  treeOf,
} from "./option-tree.ts";

/** 1 ▸ 2 ▸ 3, and 4 beside 1. */
const all = [
  { id: 1, parent_id: null },
  { id: 4, parent_id: null },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
];

test.each([
  [3, 1, true],
  [1, 1, true],
  [1, 3, false],
  [4, 1, false],
])("is %i within %i: %s (Q-02)", (id, ancestor, isBelow) => {
  expect(isWithin(all, id, ancestor)).toBe(isBelow);
});

test("a subtree is an option and all below it (Q-02)", () => {
  expect(subtreeOf(all, 1).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(treeOf(all)).toMatchObject([
    { id: 1, children: [{ id: 2, children: [{ id: 3 }] }] },
    { id: 4, children: [] },
  ]);
});

const level = (ids: readonly number[]) => ids.map((id) => ({ id }));

test.each([
  [[1, 2, 3], 3, 0, [3, 1, 2]],
  [[1, 2, 3], 1, 2, [2, 3, 1]],
  [[1, 2, 3], 1, undefined, [2, 3, 1]],
  [[1, 9, 2], 9, 99, [1, 2, 9]],
  [[9], 9, 0, [9]],
])("in %j, moving %i to %s gives %j (Q-02)", (ids, id, position, order) => {
  expect(moveTo(level(ids), id, position)).toEqual(level(order));
});

test("a move loses and duplicates no option (Q-02)", () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(some, fc.nat(), fc.nat(20), (ids, nth, position) => {
      const id = ids[nth % ids.length] ?? 0;
      const after = moveTo(level(ids), id, position).map((each) => each.id);
      expect(after).toHaveLength(ids.length);
      expect(new Set(after)).toEqual(new Set(ids));
      expect(after.indexOf(id)).toBe(Math.min(position, after.length - 1));
    }),
  );
});

test.each([
  [["2", "1", "3"], true, ["1", "2", "3"]],
  [["1", "3"], true, ["1", "2"]],
  [["9", "1", "5"], false, ["1", "5", "9"]],
  [["sim", "2", "1"], true, ["sim", "1", "2"]],
  [["01", "b"], true, ["01", "b"]],
  [[], true, []],
])("renumbering %j (numbered in order: %s) gives %j (Q-02)", (options, wasNumbered, answers) => {
  expect(renumber(options, wasNumbered)).toEqual(answers);
});

test.each([
  [["1", "2"], true],
  [["1", "sim", "2"], true],
  [[], true],
  [["1", "3"], false],
  [["2", "1"], false],
])("the answers %j are numbered in order: %s (Q-02)", (options, is) => {
  expect(isNumberedInOrder(options.map((option) => ({ option })))).toBe(is);
});

test("an answer is free unless an option of the level or a bot command has it (Q-02)", () => {
  const isFree = (text: string) => isAnswerFree(text, ["1", "Sim"]);
  expect(["1", "sim", "SIM", "0", "00", "*000*", "Zero", "cero", "#", "Sair", "exit", "SALIR"].filter(isFree)).toEqual(
    [],
  );
  expect(["2", "10", "0800", "zero km"].filter(isFree)).toEqual(["2", "10", "0800", "zero km"]);
  expect(nextFreeNumber(["1", "3", "sim"])).toBe("2");
});
