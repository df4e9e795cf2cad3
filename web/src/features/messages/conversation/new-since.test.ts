import { expect, test } from "vitest";
import { aMessage, aTicket } from "../../testing.ts";
import { findNewSince, learnOpening, newestCounted, type Fetched, type Opening } from "./new-since.ts";

const at = (id: number, change: Parameters<typeof aMessage>[0] = {}) =>
  aMessage({ id, createdAt: new Date(Date.UTC(2026, 10, 21, 12, id)).toISOString(), ...change });
const own = { fromMe: true, clientId: "a" };

test("the line stands before the first unread message, and stays there when more come (Z-02)", () => {
  const opened = [at(1), at(2, own), at(3), at(4, { ...own, isAutomatic: true }), at(5)];
  expect(findNewSince(opened, 2, 5)).toEqual({ messageId: 3, count: 2 });
  expect(findNewSince([...opened, at(6)], 2, 5)).toEqual({ messageId: 3, count: 2 });
});

test("it goes with the answer of a person, not of the bot, and needs its page (Z-02)", () => {
  expect(findNewSince([at(1), at(2), at(3, own)], 2, 2)).toBeUndefined();
  expect(findNewSince([at(1), at(2), at(3, { ...own, isAutomatic: true })], 2, 2)).toEqual({ messageId: 1, count: 2 });
  expect(findNewSince([at(8), at(9)], 3, 9)).toBeUndefined();
  expect(findNewSince([at(7), at(8), at(9)], 3, 9)).toEqual({ messageId: 7, count: 3 });
  expect(findNewSince([at(1)], 0, 1)).toBeUndefined();
});

test("what comes while the conversation is being opened is not counted among the unread (Z-02)", () => {
  const messages = [at(2), at(1), at(4), at(3)];
  expect(newestCounted(messages, at(2).createdAt)).toBe(2);
  expect(newestCounted(messages, at(9).createdAt)).toBe(4);
  expect(newestCounted(messages, null)).toBeUndefined();
});

test("the page says what was unread, in whichever order page and ticket come, and who opens a kept copy (Z-02)", () => {
  const me = 7;
  const ticket = (unreadMessages: number, last: number, change: Parameters<typeof aTicket>[0] = {}) =>
    aTicket({ userId: me, status: "open", unreadMessages, lastMessageAt: at(last).createdAt, ...change });
  const kept: Opening = { unread: 0, lastMessageAt: at(1).createdAt, updatedAt: 1 };
  const came = (unread: number, change: Partial<Fetched> = {}): Fetched => ({
    messages: [at(1), at(2), at(3)],
    page: { unread, ticket: ticket(0, 3) },
    updatedAt: 5,
    isCurrent: true,
    ...change,
  });
  const decided = (opening: Opening) => [opening.unread, opening.newestId];

  // A kept copy says 0 unread; its page comes first and has marked two as read.
  const first = learnOpening(kept, ticket(0, 1), me, came(2));
  expect(decided(first)).toEqual([2, 3]);
  expect(learnOpening(first, ticket(3, 4), me, came(3))).toBe(first);
  // The ticket comes first, and is marked as read before the page is asked for.
  const waiting = learnOpening(kept, ticket(2, 3), me, came(0, { isCurrent: false }));
  expect(decided(waiting)).toEqual([2, undefined]);
  expect(decided(learnOpening(waiting, ticket(0, 3), me, came(0)))).toEqual([2, 3]);
  // A message of the socket changes the copy before its fetch has ended: nothing is decided by it.
  expect(learnOpening(kept, ticket(0, 1), me, came(0, { updatedAt: 4, isCurrent: false }))).toBe(kept);
  // The fetch has not begun, or has failed.
  expect(learnOpening(kept, ticket(0, 1), me, came(2, { updatedAt: 1 }))).toBe(kept);
  // To whom it does not belong nothing is new.
  for (const change of [{ userId: 8 }, { userId: me, status: "pending" as const }]) {
    const others = ticket(2, 3, change);
    expect(decided(learnOpening(kept, others, me, came(2, { page: { unread: 2, ticket: others } })))).toEqual([0, 0]);
  }
});
