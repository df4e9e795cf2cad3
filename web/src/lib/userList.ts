/** A list of users in this browser's memory: several people may share it, each with a wish of their own. */
import { useSyncExternalStore } from "react";
import { remember, remembered, type StorageKey } from "./storage.ts";

export interface UserList {
  has(userId: number): boolean;
  set(userId: number, isIn: boolean): void;
  /** The same for a component, which draws again when it changes. */
  useHas(userId: number): boolean;
}

export function createUserList(key: StorageKey): UserList {
  const listeners = new Set<() => void>();
  const has = (userId: number) => idsIn(remembered(key)).includes(userId);

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    has,
    set(userId, isIn) {
      const others = idsIn(remembered(key)).filter((id) => id !== userId);
      remember(key, [...others, ...(isIn ? [userId] : [])].join(","));
      listeners.forEach((listener) => listener());
    },
    useHas: (userId) => useSyncExternalStore(subscribe, () => has(userId)),
  };
}

/** The users of a stored text; nonsense names nobody. */
export function idsIn(text: string | undefined): number[] {
  return (text ?? "")
    .split(",")
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
}

/** Those for whom this browser keeps silent. */
export const muted = createUserList("prosa.muted");
/** Those who want to be rung here while the browser is closed. */
export const rungHere = createUserList("prosa.devices");
