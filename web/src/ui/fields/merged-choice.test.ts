import { expect, test } from "vitest";
import { mergedChoice } from "./merged-choice.ts";

const saved = (chosen: number[], newest: number[], tried: number[][] = []) =>
  mergedChoice(chosen, { opened: [1, 2], tried, newest });

test("what colleagues ticked and unticked since the form opened stays beside the own changes (U-01)", () => {
  expect(saved([1, 2, 3], [1, 2])).toEqual([1, 2, 3]);
  expect(saved([1, 2, 3], [1, 2, 4])).toEqual([1, 2, 3, 4]);
  expect(saved([1], [1, 2, 4])).toEqual([1, 4]);
  expect(saved([1, 2, 3], [2])).toEqual([2, 3]);
  expect(saved([2, 1], [1, 2])).toEqual([2, 1]);
});

test("what a failed save tried, and the server may have saved, is no change of a colleague (U-01)", () => {
  expect(saved([1, 2], [1, 2, 3], [[1, 2, 3]])).toEqual([1, 2]);
  expect(saved([1, 2], [1], [[1]])).toEqual([1, 2]);
});
