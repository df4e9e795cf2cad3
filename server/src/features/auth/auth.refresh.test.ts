import { expect, test } from "vitest";
import { judgeRefresh } from "./auth.refresh.ts";

const rotatedAt = new Date("2026-03-02T12:00:00Z");
const session = {
  refresh_hash: "current",
  previous_hash: "before",
  rotated_at: rotatedAt,
  expires_at: new Date("2026-03-09T12:00:00Z"),
  ended_at: null,
};
const after = (seconds: number) => new Date(rotatedAt.getTime() + seconds * 1000);

test.each([
  ["the current cookie", "current", 3600, "rotate"],
  ["the one before, at once", "before", 0, "repeat"],
  ["the one before, at the end of the grace", "before", 30, "repeat"],
  ["the one before, too late", "before", 31, "reused"],
  ["an older one", "older", 1, "reused"],
  ["the current one, after its time", "current", 7 * 24 * 3600, "over"],
] as const)("%s (A-05)", (_what, hash, seconds, verdict) => {
  expect(judgeRefresh(session, hash, after(seconds))).toBe(verdict);
});

test("no cookie opens an ended session (A-06)", () => {
  expect(judgeRefresh({ ...session, ended_at: rotatedAt }, "current", after(1))).toBe("over");
});

test("before the first rotation there is no cookie before", () => {
  expect(judgeRefresh({ ...session, previous_hash: null }, "before", after(1))).toBe("reused");
});
