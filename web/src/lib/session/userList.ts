/** A list of users in the browser's storage: several people may share a browser, each with their own setting. */
import { useSyncExternalStore } from "react";
import { writeStored, readStored, type StorageKey } from "./storage.ts";

export interface UserList {
  has(userId: number): boolean;
  set(userId: number, isIn: boolean): void;
  /** The same as a hook: renders again when it changes. */
  useHas(userId: number): boolean;
}

export function createUserList(key: StorageKey): UserList {
  const listeners = new Set<() => void>();
  const has = (userId: number) => idsIn(readStored(key)).includes(userId);

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    has,
    set(userId, isIn) {
      const others = idsIn(readStored(key)).filter((id) => id !== userId);
      writeStored(key, [...others, ...(isIn ? [userId] : [])].join(","));
      listeners.forEach((listener) => listener());
    },
    useHas: (userId) => useSyncExternalStore(subscribe, () => has(userId)),
  };
}

/** Parses a stored list of user ids; ignores anything else. */
export function idsIn(text: string | undefined): number[] {
  return (text ?? "")
    .split(",")
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
}

/** Users who muted notifications in this browser. */
export const muted = createUserList("prosa.muted");
/** Users who turned on web push in this browser. */
export const pushEnabledUsers = createUserList("prosa.devices");
