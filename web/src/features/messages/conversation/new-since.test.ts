import { expect, test } from "vitest";
import { aMessage } from "../../testing.ts";
import { findNewSince, newestCounted } from "./new-since.ts";

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
