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

/** The longest gap of the plan (ms): what a line was planned for later than that, before the clock was set back, is due then. */
export function longestGap({ messageInterval, greaterInterval }: Pace): number {
  return Math.max(floorGapMs, (messageInterval + greaterInterval) * 1_000 * (1 + jitter));
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
