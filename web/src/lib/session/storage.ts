/** The browser's localStorage. Keys as the specification spells them; our own have a prefix. */

const specified = ["token", "companyId", "userId", "companyDueDate", "cshow", "tasks", "volume", "signOption"] as const;
const own = [
  "prosa.language",
  "prosa.theme",
  "prosa.drawer",
  "prosa.contactDrawer",
  "prosa.muted",
  "prosa.devices",
  "prosa.announcements",
  "prosa.kanbanView",
  "prosa.tasks",
  "prosa.signedInElsewhere",
  "prosa.phoneBeside",
  "prosa.testNumber",
] as const;

export type StorageKey = (typeof specified)[number] | (typeof own)[number];

/** Keys of the signed-in user, removed on sign-out. */
const credentials = ["token", "companyId", "userId", "companyDueDate"] as const;

/** What a full or blocked storage did not take, for as long as the page lives: without it nobody could sign in there. */
const unstored = new Map<StorageKey, string>();

/** The stored value, which this page alone may know. */
export function readStored(key: StorageKey): string | undefined {
  try {
    return unstored.get(key) ?? localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the value; in memory where the browser does not. */
export function writeStored(key: StorageKey, value: string): void {
  unstored.delete(key);
  try {
    localStorage.setItem(key, value);
  } catch {
    unstored.set(key, value);
  }
}

/** Forgets the value. */
export function removeStored(key: StorageKey): void {
  unstored.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored, so nothing to remove.
  }
}

export function removeStoredCredentials(): void {
  credentials.forEach(removeStored);
}

/** removes all keys of the specification; language and theme belong to the browser and stay. */
export function clearStored(): void {
  specified.forEach(removeStored);
}
