/** Which simulated phone lies beside the desk? Kept until it is closed, also over other screens and a reload. */
import { useSyncExternalStore } from "react";
import { readStored, removeStored, writeStored } from "#web/lib/session/storage.ts";

interface PhoneBeside {
  /** The simulator line that it writes to. */
  readonly connectionId: number;
  /** The customer or group whose chat is open. */
  readonly chosen: string | undefined;
}

let phone: PhoneBeside | undefined = restored();
const listeners = new Set<() => void>();

export function usePhoneBeside(): PhoneBeside | undefined {
  return useSyncExternalStore(subscribe, () => phone);
}

export function openPhoneBeside(connectionId: number): void {
  if (phone?.connectionId !== connectionId) {
    set({ connectionId, chosen: undefined });
  }
}

export function choosePhoneChat(chosen: string | undefined): void {
  set(phone && { ...phone, chosen });
}

export function closePhoneBeside(): void {
  set(undefined);
}

function set(next: PhoneBeside | undefined): void {
  phone = next;
  if (next) {
    writeStored("prosa.phoneBeside", String(next.connectionId));
  } else {
    removeStored("prosa.phoneBeside");
  }
  listeners.forEach((listener) => listener());
}

function restored(): PhoneBeside | undefined {
  const connectionId = Number(readStored("prosa.phoneBeside"));
  return connectionId > 0 ? { connectionId, chosen: undefined } : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
