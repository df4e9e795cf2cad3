import type { Tag } from "@prosa/contract/tags";
import { expect, test } from "vitest";
import { aTicket } from "../testing.ts";
import { cardListOf, countWithMoves, holdsCard, laneIdsOf, lanesOf, movedTo, reordered, withMoves } from "./lanes.ts";

const tag = (id: number, kanban: 0 | 1 = 1): Tag => ({ id, name: `Tag ${id}`, color: "#112233", kanban });
const [vip, deal, sold] = [tag(1, 0), tag(2), tag(3)];
const [open, ofDeal, ofSold] = lanesOf([deal, sold]) as [never, never, never];
const filter = { searchParam: "", queueIds: [], showAll: true };
const viewer = { userId: 1, isAdmin: false, holdsShowAll: false, seesQueueless: false, queueIds: [3] };

test("a ticket is in the lane of each of its lane tags, else in the open lane (O-02)", () => {
  expect(laneIdsOf(aTicket())).toEqual([0]);
  expect(laneIdsOf(aTicket({ tags: [vip] }))).toEqual([0]);
  expect(laneIdsOf(aTicket({ tags: [vip, deal, sold] }))).toEqual([2, 3]);
});

test("a move replaces the tags of other lanes and keeps ordinary ones (O-02)", () => {
  expect(movedTo(ofSold, aTicket({ tags: [vip, deal] })).tags).toEqual([vip, sold]);
  expect(movedTo(open, aTicket({ tags: [deal, vip, sold] })).tags).toEqual([vip]);
});

test.each([
  ["its own lane", {}, 2, true],
  ["another lane", {}, 3, false],
  ["the list of all", {}, null, true],
  ["closed", { status: "closed" }, 2, false],
  ["a colleague's in the user's queue", { userId: 9 }, 2, true],
  ["a colleague's in a foreign queue", { userId: 9, queueId: 8 }, 2, false],
  ["pending in the user's queue", { status: "pending", userId: null }, 2, true],
  ["pending in a foreign queue", { status: "pending", userId: null, queueId: 8 }, 2, false],
] as const)("a lane holds a card as the server's query does: %s (O-02, T-06)", (_, change, laneId, isHeld) => {
  const ticket = aTicket({ tags: [deal], ...change });
  expect(holdsCard(cardListOf(filter, laneId), viewer, ticket, false)).toBe(isHeld);
});

test("a board of one's own leaves colleagues' conversations out, and keeps what waits (O-02)", () => {
  const list = cardListOf({ ...filter, showAll: false }, null);
  const holds = (ticket: Parameters<typeof aTicket>[0]) => holdsCard(list, viewer, aTicket(ticket), false);
  expect([holds({ userId: 1 }), holds({ userId: 9 }), holds({ status: "pending", userId: null })]).toEqual([
    true,
    false,
    true,
  ]);
});

test("of a search only what it found is held (O-02)", () => {
  const list = cardListOf({ ...filter, searchParam: "ana" }, 2);
  expect(holdsCard(list, viewer, aTicket({ tags: [deal] }), false)).toBe(false);
  expect(holdsCard(list, viewer, aTicket({ tags: [deal] }), true)).toBe(true);
});

test("an unconfirmed move shows in both lanes and their counts, and the cached cards stay as they are (O-02)", () => {
  const [young, middle, old] = ["15", "14", "13"].map((hour, index) =>
    aTicket({ id: index + 1, lastMessageAt: `2026-11-21T${hour}:00:00.000Z` }),
  ) as [ReturnType<typeof aTicket>, ReturnType<typeof aTicket>, ReturnType<typeof aTicket>];
  const moves = new Map([[middle.id, { ticket: middle, from: 0, to: ofDeal }]]);
  const cards = [young, middle];

  expect(withMoves(cards, moves, 0).map(({ id }) => id)).toEqual([1]);
  expect(withMoves([old], moves, 2).map(({ id, tags }) => [id, tags])).toEqual([
    [2, [deal]],
    [3, []],
  ]);
  expect(withMoves(cards, moves, null).map(({ tags }) => tags)).toEqual([[], [deal]]);
  expect([0, 2, 3].map((laneId) => countWithMoves(5, moves, laneId))).toEqual([4, 6, 5]);
  // the event came before the answer: once, not twice
  expect(withMoves([movedTo(ofDeal, middle)], moves, 2)).toHaveLength(1);
  expect(withMoves(cards, new Map(), 0)).toBe(cards);
});

test.each([
  [4, 2, [4, 2, 3]],
  [2, 4, [3, 4, 2]],
  [2, 3, [3, 2, 4]],
  [4, 0, [4, 2, 3]],
  [3, 3, [2, 3, 4]],
  [9, 2, [2, 3, 4]],
])("lane %i dropped on %i gives the order %j (O-02)", (dragged, place, order) => {
  expect(reordered([deal, sold, tag(4)], dragged, place).map(({ id }) => id)).toEqual(order);
});
