import type { ConnectionHealth } from "@prosa/contract/connections";
import { expect, test } from "vitest";
import { heldUntil } from "./held-until.ts";

const now = Date.parse("2026-11-18T12:00:00Z");
const until = "2026-11-18T13:00:00.000Z";
const limited: ConnectionHealth = { state: "limited", cause: null, until, quota: null };
const days = (ago: number, fromMe: boolean) => ({
  fromMe,
  createdAt: new Date(now - ago * 86_400_000).toISOString(),
});

test.each([
  ["nobody has written yet", [], false, until],
  ["only we have", [days(1, true)], false, until],
  ["the contact wrote 29 days ago", [days(29, false), days(1, true)], true, until],
  ["the contact wrote 27 days ago", [days(27, false), days(1, true)], false, ""],
  ["older messages are not loaded, and they may be the contact's", [days(1, true)], true, ""],
])("a first message waits under a limit: %s (P-04)", (_what, messages, hasOlder, held) => {
  expect(heldUntil({ isGroup: false, messages, hasOlder }, limited, now)).toBe(held);
});

test("a group, a line without a limit and one whose limit has ended wait for nothing (P-04)", () => {
  const conversation = { isGroup: false, messages: [], hasOlder: false };
  expect(heldUntil({ ...conversation, isGroup: true }, limited, now)).toBe("");
  expect(heldUntil(conversation, { ...limited, state: "good", until: null }, now)).toBe("");
  expect(heldUntil(conversation, limited, Date.parse(until))).toBe("");
  expect(heldUntil(conversation, undefined, now)).toBe("");
});
