import type { ConnectionHealth } from "@prosa/contract/connections";
import { expect, test } from "vitest";
import { healthSentence, signalText } from "./line-health.ts";

const now = new Date("2026-11-18T12:00:00Z");
const until = "2026-11-18T14:30:00.000Z";
const quota = { level: "warning1", used: 80, total: 100, until: null } as const;
const health = (parts: Partial<ConnectionHealth>): ConnectionHealth => ({
  state: "good",
  cause: null,
  until: null,
  quota: null,
  ...parts,
});

test("the sentence of a line says what it may do, and until when it may not (P-04)", () => {
  expect(healthSentence(health({}), now).key).toBe("good");
  expect(healthSentence(health({ state: "limited", cause: "quality", until }), now)).toMatchObject({
    key: "limited",
    until,
  });
  expect(healthSentence(health({ state: "warned", quota }), now)).toMatchObject({
    key: "warned",
    share: { used: 80, total: 100 },
  });
  expect(healthSentence(health({ state: "limited", cause: "capped", until }), now).key).toBe("cappedBare");
  expect(healthSentence(health({ state: "blocked", cause: "banned" }), now).key).toBe("blocked");
});

test("a lock is over at its end, and the warning below it shows (P-04)", () => {
  const locked = health({ state: "limited", cause: "quality", until, quota });
  expect(healthSentence(locked, new Date(until)).key).toBe("warned");
  expect(healthSentence({ ...locked, quota: null }, new Date(until)).key).toBe("good");
});

test("each signal has words, also with a detail that this release does not know (P-04)", () => {
  expect(signalText({ kind: "timeLock", detail: "quality" })).toMatchObject({ text: "cause_quality", tone: "bad" });
  expect(signalText({ kind: "capped", detail: "100/100" })).toMatchObject({ share: { used: "100", total: "100" } });
  expect(signalText({ kind: "refused", detail: "limited" })).toMatchObject({ text: "fail_limited" });
  expect(signalText({ kind: "failedSend", detail: "of another release" })).toMatchObject({ text: "fail_other" });
  expect(signalText({ kind: "disconnected", detail: "network" })).toMatchObject({ reason: "reason_network" });
  expect(signalText({ kind: "timeLockEnded", detail: null })).toEqual({ title: "signal_timeLockEnded", tone: "good" });
});
