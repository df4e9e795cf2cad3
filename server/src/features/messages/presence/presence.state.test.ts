import { expect, test } from "vitest";
import {
  emptyPresence,
  isEmpty,
  nextExpiry,
  toPresencePayload,
  withContactTyping,
  withoutExpired,
  withUserTyping,
  withViewers,
} from "./presence.state.ts";

const ana = { id: 1, name: "Ana" };
const bia = { id: 2, name: "Bia" };

test("a person with windows in two processes is one viewer", () => {
  const presence = withViewers(withViewers(emptyPresence, "p1", [bia, ana], 100), "p2", [ana], 100);

  expect(toPresencePayload(presence, 7, 0)).toEqual({
    ticketId: 7,
    viewers: [
      { ...ana, typing: false },
      { ...bia, typing: false },
    ],
    contactTyping: false,
  });
});

test("typing ends when it is reported, and when it is not repeated", () => {
  const presence = withUserTyping(withViewers(emptyPresence, "p1", [ana], 100), 1, 6);

  expect(toPresencePayload(presence, 7, 5).viewers).toEqual([{ ...ana, typing: true }]);
  expect(toPresencePayload(presence, 7, 6).viewers).toEqual([{ ...ana, typing: false }]);
  expect(toPresencePayload(withUserTyping(presence, 1, 0), 7, 5).viewers).toEqual([{ ...ana, typing: false }]);
});

test("only viewers are shown as typing", () => {
  expect(toPresencePayload(withUserTyping(emptyPresence, 1, 10), 7, 5).viewers).toEqual([]);
});

test("a contact's typing expires", () => {
  const presence = withContactTyping(emptyPresence, 10);

  expect(toPresencePayload(presence, 7, 9).contactTyping).toBe(true);
  expect(toPresencePayload(presence, 7, 10).contactTyping).toBe(false);
  expect(toPresencePayload(withContactTyping(presence, 0), 7, 9).contactTyping).toBe(false);
});

test("the viewers of a dead process expire", () => {
  const presence = withViewers(emptyPresence, "p1", [ana], 50);

  expect(isEmpty(withoutExpired(presence, 49))).toBe(false);
  expect(isEmpty(withoutExpired(presence, 50))).toBe(true);
  expect(isEmpty(withViewers(presence, "p1", [], 90))).toBe(true);
});

test("the next expiry is the earliest one", () => {
  const presence = withContactTyping(withUserTyping(withViewers(emptyPresence, "p1", [ana], 50), 1, 6), 10);

  expect(nextExpiry(presence, 0)).toBe(6);
  expect(nextExpiry(presence, 6)).toBe(10);
  expect(nextExpiry(emptyPresence, 0)).toBeUndefined();
});
