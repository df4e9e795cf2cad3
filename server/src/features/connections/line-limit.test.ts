import { healthAt } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import type { LineLimit } from "#server/whatsapp/port.ts";
import {
  disconnectionOf,
  healthOf,
  limitAfter,
  lockEnd,
  nextEnd,
  signalsOf,
  unlimited,
  withoutEnded,
} from "./line-limit.ts";

const now = new Date("2026-11-18T12:00:00Z");
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const lock = (until: Date | null): LineLimit => ({ kind: "newChats", isActive: true, until, cause: "quality" });
const lifted: LineLimit = { kind: "newChats", isActive: false, until: null, cause: null };
const quota = (level: "none" | "warning1" | "warning2" | "capped", used: number, until: Date | null): LineLimit => ({
  kind: "quota",
  level,
  used,
  total: 100,
  until,
});
const after = (...limits: LineLimit[]) => limits.reduce((state, limit) => limitAfter(state, limit, now), unlimited);

describe("a lock", () => {
  test("holds new conversations until its end, and is over then without a word from WhatsApp (P-04)", () => {
    const locked = after(lock(inMinutes(30)));
    expect([now, inMinutes(29), inMinutes(30)].map((at) => lockEnd(locked, at))).toEqual([
      inMinutes(30),
      inMinutes(30),
      null,
    ]);
    expect(lockEnd(limitAfter(locked, lifted, now), now)).toBeNull();
  });

  test("without an end is taken for one of a minute (P-04)", () => {
    expect(lockEnd(after(lock(null)), now)).toEqual(inMinutes(1));
  });

  test("is told once, and its end at its own time (P-04)", () => {
    const locked = after(lock(inMinutes(30)));
    expect(signalsOf(unlimited, locked, now)).toEqual([{ kind: "timeLock", detail: "quality", at: now }]);
    expect(signalsOf(locked, limitAfter(locked, lock(inMinutes(60)), now), now)).toEqual([]);
    const late = inMinutes(45);
    expect(signalsOf(locked, withoutEnded(locked, late), late)).toEqual([
      { kind: "timeLockEnded", detail: null, at: inMinutes(30) },
    ]);
  });
});

describe("the allowance of new conversations", () => {
  test("holds them only when it is used up, until its cycle ends (P-04)", () => {
    const cycleEnd = inMinutes(600);
    expect(lockEnd(after(quota("warning2", 95, cycleEnd)), now)).toBeNull();
    const capped = after(quota("capped", 100, cycleEnd));
    expect(lockEnd(capped, now)).toEqual(cycleEnd);
    expect(lockEnd(capped, cycleEnd)).toBeNull();
    expect(withoutEnded(capped, cycleEnd)).toEqual(unlimited);
  });

  test("without an end of its cycle holds them for an hour, not for ever (P-04)", () => {
    expect(lockEnd(after(quota("capped", 100, null)), now)).toEqual(inMinutes(60));
  });

  test("is told at each level that it reaches (P-04)", () => {
    const [first, second, capped] = [
      after(quota("warning1", 80, null)),
      after(quota("warning2", 95, null)),
      after(quota("capped", 100, null)),
    ];
    expect(signalsOf(unlimited, first, now)).toMatchObject([{ kind: "quotaWarning", detail: "80/100" }]);
    expect(signalsOf(first, first, now)).toEqual([]);
    expect(signalsOf(first, second, now)).toMatchObject([{ kind: "quotaWarning", detail: "95/100" }]);
    expect(signalsOf(second, capped, now)).toMatchObject([{ kind: "capped", detail: "100/100" }]);
    expect(signalsOf(capped, after(quota("none", 0, null)), now)).toMatchObject([{ kind: "capEnded" }]);
  });

  test("and a lock hold until the later of both ends (P-04)", () => {
    const both = after(lock(inMinutes(30)), quota("capped", 100, inMinutes(90)));
    expect(lockEnd(both, now)).toEqual(inMinutes(90));
    expect(nextEnd(both)).toEqual(inMinutes(30));
  });
});

describe("the health of a line", () => {
  test("says what limits it, and is right later without another answer (P-04)", () => {
    expect(healthOf(unlimited, false, now)).toEqual({ state: "good", cause: null, until: null, quota: null });
    const limited = healthOf(after(quota("warning1", 80, inMinutes(90)), lock(inMinutes(30))), false, now);
    expect(limited).toMatchObject({ state: "limited", cause: "quality", until: inMinutes(30).toISOString() });
    expect(healthAt(limited, inMinutes(29)).state).toBe("limited");
    expect(healthAt(limited, inMinutes(30))).toMatchObject({ state: "warned", until: inMinutes(90).toISOString() });
    expect(healthAt(limited, inMinutes(90))).toEqual({ state: "good", cause: null, until: null, quota: null });
  });

  test("of a reached allowance, and of a banned number (P-04)", () => {
    const capped = after(quota("capped", 100, inMinutes(90)), lock(inMinutes(30)));
    expect(healthOf(capped, false, now)).toMatchObject({ state: "limited", cause: "capped" });
    const banned = healthOf(capped, true, now);
    expect(banned).toMatchObject({ state: "blocked", cause: "banned", until: null });
    expect(healthAt(banned, inMinutes(900)).state).toBe("blocked");
  });
});

test("a disconnection counts when nobody asked for it (P-04)", () => {
  const ended = (reason: "banned" | "loggedOut" | "stopped" | "notScanned") =>
    disconnectionOf({ status: "DISCONNECTED", reason, detail: "" }, { isCut: true });
  expect(disconnectionOf({ status: "OPENING" }, { isCut: true })).toEqual({ kind: "disconnected", detail: "network" });
  expect(disconnectionOf({ status: "OPENING" }, { isCut: false })).toBeNull();
  expect(ended("banned")).toEqual({ kind: "banned", detail: "banned" });
  expect(ended("loggedOut")).toEqual({ kind: "disconnected", detail: "loggedOut" });
  expect([ended("stopped"), ended("notScanned")]).toEqual([null, null]);
});
