/** The notification volume of this browser: 0 to 1, full unless set (specification 1 section 9). */
import { useSyncExternalStore } from "react";
import { writeStored, readStored } from "#web/lib/session/storage.ts";

export const volumeStep = 0.1;
const listeners = new Set<() => void>();

export function currentVolume(): number {
  return parseVolume(readStored("volume"));
}

/** Parses a stored volume: 0 to 1, rounded to the step; 1 for anything else. */
export function parseVolume(text: string | undefined): number {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? Math.round(value / volumeStep) / 10 : 1;
}

export function setVolume(volume: number): void {
  writeStored("volume", String(parseVolume(String(volume))));
  listeners.forEach((listener) => listener());
}

export function useVolume(): number {
  return useSyncExternalStore(subscribe, currentVolume);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
