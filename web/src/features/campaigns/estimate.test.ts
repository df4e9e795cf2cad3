import { campaignSettingDefaults } from "@prosa/contract/campaigns";
import { expect, test } from "vitest";
import { durationOf, sendingSeconds, type Pace } from "./estimate.ts";

const usual: Pace = campaignSettingDefaults;

test.each<[number, number, Partial<Pace>, number]>([
  [0, 1, {}, 0],
  [1, 1, {}, 0],
  [2, 1, {}, 20],
  // twenty gaps of 20 s, and one longer pause
  [21, 1, {}, 20 * 20 + 60],
  [1_000, 1, {}, 999 * 20 + 49 * 60],
  // dealt to two lines, the larger half counts
  [1_001, 2, {}, 500 * 20 + 25 * 60],
  [100, 1, { longerIntervalAfter: 0 }, 99 * 20],
  // never faster than one a second
  [100, 1, { messageInterval: 0, longerIntervalAfter: 0 }, 99],
  [100, 0, { longerIntervalAfter: 0 }, 99 * 20],
])("%d contacts over %d lines at %j take %d s (K-03, K-08)", (contacts, lines, pace, seconds) => {
  expect(sendingSeconds(contacts, lines, { ...usual, ...pace })).toBe(seconds);
});

test.each([
  [0, { unit: "moment" }],
  [29, { unit: "moment" }],
  [30, { unit: "minutes", minutes: 1 }],
  [59 * 60, { unit: "minutes", minutes: 59 }],
  [60 * 60, { unit: "hours", hours: 1, minutes: 0 }],
  [3 * 3_600 + 21 * 60, { unit: "hours", hours: 3, minutes: 20 }],
  [3_600 + 58 * 60, { unit: "hours", hours: 2, minutes: 0 }],
  [24 * 3_600 - 60, { unit: "days", days: 1, hours: 0 }],
  [50 * 3_600, { unit: "days", days: 2, hours: 2 }],
])("%d s are said as %j (K-03)", (seconds, duration) => {
  expect(durationOf(seconds)).toEqual(duration);
});
