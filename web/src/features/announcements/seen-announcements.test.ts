import { expect, test } from "vitest";
import { seenIn, withSeen } from "./seen-announcements.ts";

test("seen announcements are kept per user where several share a browser (S-04)", () => {
  const text = withSeen(withSeen(undefined, 7, [3, 4]), 8, [4]);
  expect([...seenIn(text, 7)]).toEqual([3, 4]);
  expect([...seenIn(text, 8)]).toEqual([4]);
  expect([...seenIn(text, 9)]).toEqual([]);
});

test("an announcement that is seen again is kept once (S-04)", () => {
  expect(withSeen("7:3", 7, [3, 4])).toBe("7:3,7:4");
});

test("only the latest 400 are kept (S-04)", () => {
  const ids = Array.from({ length: 500 }, (_, n) => n + 1);
  const seen = seenIn(withSeen(undefined, 7, ids), 7);
  expect([seen.size, seen.has(100), seen.has(101), seen.has(500)]).toEqual([400, false, true, true]);
});

test.each([undefined, "", "nonsense", "7", "7:", "7:x", "7:1.5", "8:3"])(
  "%j holds nothing of user 7 (S-04)",
  (text) => {
    expect(seenIn(text, 7).size).toBe(0);
  },
);
