import { sendingConstants } from "@prosa/contract";

/** Milliseconds until a line may go on: the gap with jitter, at least a second (behaviour 7). `random` from 0 to 1. */
export function gapMs(seconds: number, random: number): number {
  const { jitter, floorGapMs } = sendingConstants;
  const stretched = seconds * 1_000 * (1 + jitter * (2 * random - 1));
  return Math.max(floorGapMs, Math.round(stretched));
}
