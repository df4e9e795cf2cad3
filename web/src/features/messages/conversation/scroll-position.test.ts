import type { Message } from "@prosa/contract/messages";
import { expect, test } from "vitest";
import { aMessage } from "../../testing.ts";
import { countNewBelow } from "./scroll-position.ts";
import { buildTimeline } from "./timeline.ts";

const at = (id: number, rest: Partial<Message> = {}) =>
  aMessage({ id, createdAt: `2026-11-21T12:00:${String(id).padStart(2, "0")}.000Z`, ...rest });
const photo = (id: number) => at(id, { mediaType: "image" });
const rowsOf = (...messages: Message[]) =>
  buildTimeline(messages, [], { dayOf: (instant) => instant.slice(0, 10), hasOlder: false });

test("below a reader who is further up the received messages after the last seen one count (M-01)", () => {
  const rows = rowsOf(at(1), at(2), at(3, { fromMe: true }), at(4));
  expect(countNewBelow(rows, 2)).toBe(1);
  expect(countNewBelow(rows, 4)).toBe(0);
});

test("a photo that joins an album is one new message, not all of the conversation (M-01)", () => {
  const before = rowsOf(at(1), at(2), photo(3), photo(4));
  const after = rowsOf(at(1), at(2), photo(3), photo(4), photo(5));
  expect(before.at(-1)?.key).not.toBe(after.at(-1)?.key);
  expect(countNewBelow(after, 4)).toBe(1);
});

test("where the last seen message is gone, nothing is said to be new (M-01)", () => {
  expect(countNewBelow(rowsOf(at(1), at(2)), 7)).toBe(0);
  expect(countNewBelow(rowsOf(at(1), at(2)), undefined)).toBe(0);
});
