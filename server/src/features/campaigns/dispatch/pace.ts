import { campaignRules } from "@prosa/contract";
import type { CampaignSettings } from "../settings/index.ts";

type Pace = Pick<CampaignSettings, "messageInterval" | "longerIntervalAfter" | "greaterInterval">;

/** No line starts two conversations within less than this (behaviour 7). */
const floorMs = 1_000;

/**
 * Milliseconds until a line of a campaign writes to its next contact: messageInterval, plus greaterInterval after every
 * longerIntervalAfter contacts, stretched or shortened at random by up to 30 % (behaviour 7). `handed`: contacts so far, this one
 * too. `random`: from 0 to 1.
 */
export function gapAfter(pace: Pace, handed: number, random: number): number {
  const isLonger = pace.longerIntervalAfter > 0 && handed % pace.longerIntervalAfter === 0;
  const seconds = pace.messageInterval + (isLonger ? pace.greaterInterval : 0);
  const jitter = 1 + campaignRules.jitter * (2 * random - 1);
  return Math.max(floorMs, Math.round(seconds * 1_000 * jitter));
}

/**
 * When a contact is due that was planned for `nextAt`. A clock that was set back would have the campaign wait for hours: no gap
 * is longer than the longest of the plan.
 */
export function dueAt(nextAt: Date, pace: Pace, now: Date): Date {
  const longest = Math.max(floorMs, (pace.messageInterval + pace.greaterInterval) * 1_000 * (1 + campaignRules.jitter));
  return new Date(Math.min(nextAt.getTime(), now.getTime() + longest));
}
