/** Whether this browser is silent for a person. Several people may share it, each with a wish of their own. */
import { useSyncExternalStore } from "react";
import { remember, remembered } from "./storage.ts";

const listeners = new Set<() => void>();

export function isMuted(userId: number): boolean {
  return mutedIn(remembered("prosa.muted")).includes(userId);
}

export function setMuted(userId: number, isSilent: boolean): void {
  const others = mutedIn(remembered("prosa.muted")).filter((id) => id !== userId);
  remember("prosa.muted", [...others, ...(isSilent ? [userId] : [])].join(","));
  listeners.forEach((listener) => listener());
}

export function useMuted(userId: number): boolean {
  return useSyncExternalStore(subscribe, () => isMuted(userId));
}

/** The users of a stored text; nonsense names nobody. */
export function mutedIn(text: string | undefined): number[] {
  return (text ?? "")
    .split(",")
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
