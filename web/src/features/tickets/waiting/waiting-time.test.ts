import { expect, test } from "vitest";
import { languages, translator, type Language } from "#web/lib/text/i18n.ts";
import { aTicket } from "../../testing.ts";
import { minutesWaited, waitingLabel, waitingTone } from "./waiting-time.ts";
import { waitingMessages } from "./waiting.i18n.ts";

const since = "2026-11-21T12:00:00.000Z";
const after = (minutes: number) => Date.parse(since) + minutes * 60_000;

test("whole minutes since the contact waits; a clock that is behind counts none (Z-01)", () => {
  const ticket = aTicket({ waitingSince: since });
  expect([minutesWaited(ticket, after(4.9)), minutesWaited(ticket, after(-3))]).toEqual([4, 0]);
  expect(minutesWaited(aTicket({ waitingSince: null }), after(4))).toBeUndefined();
});

test.each<[Language, number, string]>([
  ["pt", 0, "agora"],
  ["en", 0, "now"],
  ["es", 0, "ahora"],
  ...languages.flatMap((language): [Language, number, string][] => [
    [language, 1, "1 min"],
    [language, 4, "4 min"],
    [language, 59, "59 min"],
    [language, 60, "1 h"],
    [language, 65, "1 h 05"],
    [language, 88, "1 h 28"],
    [language, 24 * 60 - 1, "23 h 59"],
    [language, 24 * 60, "1 d"],
    [language, 3 * 24 * 60 + 700, "3 d"],
  ]),
])("%s: %i minutes are %s (Z-01)", (language, minutes, label) => {
  expect(waitingLabel(minutes, translator(waitingMessages, language))).toBe(label);
});

const queueWith = (waitWarningMinutes: number, waitLimitMinutes: number) => ({
  queue: { id: 1, name: "Vendas", color: "#1f7ae0", waitWarningMinutes, waitLimitMinutes },
});

test.each([
  [14, "calm"],
  [15, "warning"],
  [59, "warning"],
  [60, "late"],
] as const)("without a queue %i minutes are %s (Z-01)", (minutes, tone) => {
  expect(waitingTone(minutes, { queue: null })).toBe(tone);
});

test.each([
  [4, 5, 10, "calm"],
  [5, 5, 10, "warning"],
  [10, 5, 10, "late"],
  [9_999, 0, 0, "calm"],
  [9_999, 5, 0, "warning"],
  [10, 0, 10, "late"],
  [9, 0, 10, "calm"],
] as const)("%i minutes with the limits %i and %i are %s; 0 is off (Z-01)", (minutes, warning, limit, tone) => {
  expect(waitingTone(minutes, queueWith(warning, limit))).toBe(tone);
});
