import { sendingConstants } from "@prosa/contract";
import { gapMs } from "#server/features/sending/index.ts";
import type { CampaignLine } from "./dispatch.queries.ts";
import type { CampaignSettings } from "../settings/index.ts";

type Pace = Pick<CampaignSettings, "messageInterval" | "longerIntervalAfter" | "greaterInterval">;

const { floorGapMs, jitter } = sendingConstants;

/**
 * Milliseconds until a line of a campaign writes to its next contact: messageInterval, plus greaterInterval after every
 * longerIntervalAfter contacts, stretched or shortened at random by up to 30 % (behaviour 7). `handed`: contacts so far, this one
 * too. `random`: from 0 to 1.
 */
export function gapAfter(pace: Pace, handed: number, random: number): number {
  const isLonger = pace.longerIntervalAfter > 0 && handed % pace.longerIntervalAfter === 0;
  const seconds = pace.messageInterval + (isLonger ? pace.greaterInterval : 0);
  return gapMs(seconds, random);
}

/**
 * When a contact is due that was planned for `nextAt`. A clock that was set back would have the campaign wait for hours: no gap
 * is longer than the longest of the plan.
 */
export function dueAt(nextAt: Date, pace: Pace, now: Date): Date {
  const longest = Math.max(floorGapMs, (pace.messageInterval + pace.greaterInterval) * 1_000 * (1 + jitter));
  return new Date(Math.min(nextAt.getTime(), now.getTime() + longest));
}

/** A message that has not left after this time (ms) holds up nobody any more: a file that cannot be sent, for instance. */
const longestWaitMs = 5 * 60_000;

/**
 * From when on a line may write to the next contact, given what it wrote last: not before that has left, nor sooner after it than
 * the plan allows. Messages that a crash held up would else go out together.
 */
export function freeAt(last: CampaignLine["last"], { messageInterval }: Pace, now: Date): Date {
  if (last?.isQueued && now.getTime() - last.queuedAt < longestWaitMs) {
    return new Date(now.getTime() + floorGapMs);
  }
  const shortest = Math.max(floorGapMs, messageInterval * 1_000 * (1 - jitter));
  return new Date(last?.sentAt == null ? now.getTime() : last.sentAt + shortest);
}
