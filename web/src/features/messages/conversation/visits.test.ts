import { expect, test } from "vitest";
import { withVisit, type Visit } from "./visits.ts";

const open = (...ids: readonly number[]) => ids.reduce<readonly Visit[]>(withVisit, []);
const tickets = (visits: readonly Visit[]) => visits.map(({ ticketId }) => ticketId);

test("six conversations stay in the page, in the order of their first opening (Z-06)", () => {
  expect(tickets(open(1, 2, 3, 1, 2))).toEqual([1, 2, 3]);
  expect(tickets(open(1, 2, 3, 4, 5, 6, 7))).toEqual([2, 3, 4, 5, 6, 7]);
});

test("the one that was opened longest ago makes room, not the first one (Z-06)", () => {
  expect(tickets(open(1, 2, 3, 4, 5, 6, 1, 7))).toEqual([1, 3, 4, 5, 6, 7]);
});

test("each opening has a number of its own (Z-06)", () => {
  expect(open(1, 2, 1)).toEqual([
    { ticketId: 1, number: 3 },
    { ticketId: 2, number: 2 },
  ]);
});
