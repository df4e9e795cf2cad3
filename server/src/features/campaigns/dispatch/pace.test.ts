import { campaignSettingChoices } from "@prosa/contract";
import { expect, test } from "vitest";
import { freeAt, gapAfter } from "./pace.ts";

const standard = { messageInterval: 20, longerIntervalAfter: 20, greaterInterval: 60 };

test.each([
  ["between two contacts", standard, 1, 0.5, 20_000],
  ["shortened by 30 % at most", standard, 1, 0, 14_000],
  ["stretched by 30 % at most", standard, 1, 1, 26_000],
  ["after every longerIntervalAfter contacts", standard, 40, 0.5, 80_000],
  ["the longer one has jitter, too", standard, 20, 0, 56_000],
  ["longerIntervalAfter 0: never longer", { ...standard, longerIntervalAfter: 0 }, 20, 0.5, 20_000],
  ["longerIntervalAfter 1: always longer", { ...standard, longerIntervalAfter: 1 }, 3, 0.5, 80_000],
  ["an interval of 0 has a floor of a second", { ...standard, messageInterval: 0 }, 1, 0.5, 1_000],
])("%s (K-05)", (_, pace, handed, random, expected) => {
  expect(gapAfter(pace, handed, random)).toBe(expected);
});

test("no gap is below the plan less 30 %, nor below a second, with any of the choices (K-05)", () => {
  const { messageInterval, longerIntervalAfter, greaterInterval } = campaignSettingChoices;
  const paces = messageInterval.flatMap((interval) =>
    longerIntervalAfter.flatMap((after) =>
      greaterInterval.map((greater) => ({
        messageInterval: interval,
        longerIntervalAfter: after,
        greaterInterval: greater,
      })),
    ),
  );
  for (const pace of paces) {
    for (const handed of [1, 20, 120]) {
      const isLonger = pace.longerIntervalAfter > 0 && handed % pace.longerIntervalAfter === 0;
      const planned = (pace.messageInterval + (isLonger ? pace.greaterInterval : 0)) * 1_000;
      expect(gapAfter(pace, handed, Math.random())).toBeGreaterThanOrEqual(Math.max(1_000, Math.floor(planned * 0.7)));
    }
  }
});

test.each([
  ["the first contact at once", null, 0],
  ["not before the last message has left", { isQueued: true, queuedAt: -30, sentAt: null }, 1],
  ["one that does not leave holds up nobody for long", { isQueued: true, queuedAt: -301, sentAt: null }, 0],
  ["one that left late counts from then", { isQueued: false, queuedAt: -60, sentAt: -4 }, 10],
  ["one that left long ago", { isQueued: false, queuedAt: -60, sentAt: -59 }, -45],
])("%s (K-05)", (_, last, seconds) => {
  const now = new Date("2026-05-04T12:00:00Z");
  const at = (after: number) => now.getTime() + after * 1_000;
  const written = last && {
    ...last,
    queuedAt: at(last.queuedAt),
    sentAt: last.sentAt === null ? null : at(last.sentAt),
  };
  expect(freeAt(written, standard, now)).toEqual(new Date(at(seconds)));
});
