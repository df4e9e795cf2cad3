import { expect, test } from "vitest";
import { finishedByOthers, withOthers } from "./remainder.ts";

const ana = { id: 1, name: "Ana", rating: null, avgSupportTime: 0, tickets: 3, online: true };
const figuresOf = (supportFinished: number, attendants = [ana]) => ({
  counters: { supportHappening: 0, supportPending: 0, supportFinished, avgSupportTime: 0, avgWaitTime: 0 },
  attendants,
  comparison: null,
});

test.each([
  [figuresOf(5), 2],
  [figuresOf(3), 0],
  [figuresOf(4, []), 4],
  // the answer of a moment ago, while a conversation was finished
  [figuresOf(2), 0],
])("%# what no attendant of the table finished is the rest of the tile (D-02, D-03)", (figures, others) => {
  expect(finishedByOthers(figures)).toBe(others);
});

test("the chart shows what nobody finished as a bar of its own, and is not empty because of it (D-04)", () => {
  const points = [{ label: "Ana", total: 3 }];
  expect(withOthers(points, figuresOf(5), "Sem atendente")).toEqual([...points, { label: "Sem atendente", total: 2 }]);
  expect(withOthers([], figuresOf(4, []), "Sem atendente")).toEqual([{ label: "Sem atendente", total: 4 }]);
  expect(withOthers(points, figuresOf(3), "Sem atendente")).toEqual(points);
  expect(withOthers([], undefined, "Sem atendente")).toBeUndefined();
});
