import { sendingConstants } from "@prosa/contract";

/** Milliseconds until the line may start another conversation: the gap with jitter, at least a second. `random` from 0 to 1. */
export function gapMs(minGapSeconds: number, random: number): number {
  const { jitter, floorGapMs } = sendingConstants;
  const stretched = minGapSeconds * 1_000 * (1 + jitter * (2 * random - 1));
  return Math.max(floorGapMs, Math.round(stretched));
}
