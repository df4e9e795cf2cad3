import { expect, test } from "vitest";
import { decideByContact, decideByLine } from "./decide.ts";
import type { ContactFacts, Decision, LineFacts, Purpose } from "./decide.ts";
import { gapMs } from "./gap.ts";

const now = new Date("2026-05-04T15:00:00Z");
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const stranger: ContactFacts = {
  isGroup: false,
  isBlocked: false,
  isOptedOut: false,
  lastInboundAt: null,
  wroteToday: false,
};
const freeLine: LineFacts = {
  limit: null,
  startedToday: 0,
  dayEndsAt: inMinutes(720),
  dailyCap: null,
  warmUpLimit: null,
  opensAt: null,
  nextSlotAt: null,
};
const lastWeek = { ...stranger, lastInboundAt: inMinutes(-7 * 24 * 60) };
const justNow = { ...stranger, lastInboundAt: inMinutes(-5) };
const locked: Partial<LineFacts> = { limit: { reason: "limited", until: inMinutes(60) } };
const capped: Partial<LineFacts> = { limit: { reason: "capped", until: inMinutes(90) } };
const atNight: Partial<LineFacts> = { opensAt: inMinutes(600) };
const full: Partial<LineFacts> = { startedToday: 20, dailyCap: 20 };
const young: Partial<LineFacts> = { startedToday: 30, warmUpLimit: 30 };
const busy: Partial<LineFacts> = { nextSlotAt: inMinutes(1) };
const everything: Partial<LineFacts> = { ...locked, ...atNight, ...full, ...busy };

function decide(contact: ContactFacts, line: Partial<LineFacts>, purpose: Purpose): string {
  const decision = decideByContact(contact, purpose) ?? decideByLine(contact, { ...freeLine, ...line }, purpose, now);
  return wordOf(decision);
}

function wordOf(decision: Decision): string {
  if (decision.kind !== "go") {
    return decision.reason;
  }
  return decision.counts ? "starts" : decision.takesSlot ? "goes in its turn" : "goes";
}

const purposes: readonly Purpose[] = ["campaign", "schedule", "api", "bot", "person"];

test.each<[string, ContactFacts, Partial<LineFacts>, readonly string[]]>([
  ["a stranger, a free line", stranger, {}, ["starts", "starts", "starts", "goes", "goes"]],
  ["a time lock", stranger, locked, ["limited", "limited", "limited", "limited", "limited"]],
  ["a used-up allowance", stranger, capped, ["capped", "capped", "capped", "capped", "capped"]],
  ["at night", stranger, atNight, ["hours", "starts", "starts", "goes", "goes"]],
  ["the daily cap", stranger, full, ["dailyCap", "dailyCap", "dailyCap", "goes", "goes"]],
  ["the warm-up plan", stranger, young, ["warmUp", "warmUp", "warmUp", "goes", "goes"]],
  [
    "one short of both",
    stranger,
    { startedToday: 19, dailyCap: 20, warmUpLimit: 20 },
    ["starts", "starts", "starts", "goes", "goes"],
  ],
  ["a plan that allows none", stranger, { warmUpLimit: 0 }, ["warmUp", "warmUp", "warmUp", "goes", "goes"]],
  ["the gap of the line", stranger, busy, ["pace", "pace", "pace", "goes", "goes"]],
  ["a slot that is due", stranger, { nextSlotAt: now }, ["starts", "starts", "starts", "goes", "goes"]],
  [
    "written to today already",
    { ...stranger, wroteToday: true },
    full,
    ["goes in its turn", "goes in its turn", "goes in its turn", "goes", "goes"],
  ],
  ["who wrote last week, a free line", lastWeek, {}, ["goes in its turn", "goes", "goes", "goes", "goes"]],
  ["who wrote last week, everything closed", lastWeek, everything, ["hours", "goes", "goes", "goes", "goes"]],
  ["who just wrote, everything closed", justNow, everything, ["pace", "goes", "goes", "goes", "goes"]],
  [
    "who just wrote, at night and locked",
    justNow,
    { ...locked, ...atNight, ...full },
    ["goes in its turn", "goes", "goes", "goes", "goes"],
  ],
  ["a group", { ...stranger, isGroup: true }, everything, ["goes", "goes", "goes", "goes", "goes"]],
  ["who opted out", { ...stranger, isOptedOut: true }, {}, ["optedOut", "optedOut", "starts", "goes", "goes"]],
  [
    "who opted out and just wrote",
    { ...justNow, isOptedOut: true },
    {},
    ["optedOut", "optedOut", "goes", "goes", "goes"],
  ],
  ["who is blocked", { ...justNow, isBlocked: true }, {}, ["blocked", "blocked", "blocked", "blocked", "blocked"]],
])("%s: campaign, schedule, api, bot and person (P-01, P-03)", (_, contact, line, expected) => {
  expect(purposes.map((purpose) => decide(contact, line, purpose))).toEqual(expected);
});

test("a hold says until when (P-03)", () => {
  const line = { ...freeLine, ...full };
  expect(decideByLine(stranger, line, "campaign", now)).toEqual({
    kind: "hold",
    reason: "dailyCap",
    until: line.dayEndsAt,
  });
});

test.each([
  [1, 0, 1_000],
  [1, 0.5, 1_000],
  [1, 1, 1_300],
  [10, 0, 7_000],
  [10, 0.5, 10_000],
  [10, 1, 13_000],
])("a gap of %i s with the random number %d is %i ms, never below a second (P-03)", (seconds, random, expected) => {
  expect(gapMs(seconds, random)).toBe(expected);
});
