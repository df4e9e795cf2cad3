/** What does this browser remember? Keys as the specification spells them; our own carry a prefix. */

const specified = ["token", "companyId", "userId", "companyDueDate", "cshow", "tasks", "volume", "signOption"] as const;
const own = [
  "prosa.language",
  "prosa.theme",
  "prosa.drawer",
  "prosa.contactDrawer",
  "prosa.muted",
  "prosa.devices",
  "prosa.announcements",
] as const;

export type StorageKey = (typeof specified)[number] | (typeof own)[number];

/** What belongs to the signed-in person and goes when they sign out. */
const credentials = ["token", "companyId", "userId", "companyDueDate"] as const;

/** Undefined also where the browser forbids storage. */
export function remembered(key: StorageKey): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: StorageKey, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full or forbidden: the app works on without memory.
  }
}

export function forget(key: StorageKey): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, so nothing is left.
  }
}

export function forgetCredentials(): void {
  credentials.forEach(forget);
}

/** everything of the specification's keys goes; language and theme belong to the machine and stay. */
export function forgetEverything(): void {
  specified.forEach(forget);
}
