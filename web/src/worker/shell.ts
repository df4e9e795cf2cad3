/** What may the service worker keep, and what must it never touch? Pure, so that tables can say it. */

/** How a request is answered: from the cache first, from the network first, or as if there were no worker. */
export type Way = "kept" | "page" | "network";

/** Addresses that a browser may open itself and that are not screens of the app. */
const notScreens = /^\/(docs|media|health|ready|metrics|version|source|assets|socket\.io)(\/|$)/;
/** Files of the shell without a hash in their names. */
const plainFiles = /^\/(favicon\.svg|icon-[\w-]+\.(svg|png)|first-paint\.js|manifest\.webmanifest)$/;

export interface Asked {
  readonly method: string;
  /** Of the Request: `navigate` for an address that a person opens. */
  readonly mode: string;
  readonly url: string;
}

/**
 * Hashed files never change: kept. A screen is asked of the network and shown from the cache when there is none. All
 * else is the API's, which shares its addresses with screens: never kept, never answered by us.
 */
export function wayOf({ method, mode, url }: Asked, origin: string): Way {
  const { pathname, origin: theirs } = new URL(url);
  if (method !== "GET" || theirs !== origin) {
    return "network";
  }
  if (mode === "navigate") {
    return notScreens.test(pathname) ? "network" : "page";
  }
  return pathname.startsWith("/assets/") ? "kept" : plainFiles.test(pathname) ? "page" : "network";
}

/** Under which name an answer is kept: every screen is the same page. */
export function nameOf({ mode, url }: Asked): string {
  return mode === "navigate" ? "/" : new URL(url).pathname;
}

/** Only what is whole and of the right kind is worth keeping. */
export function isWorthKeeping(asked: Asked, status: number, contentType: string): boolean {
  return status === 200 && (asked.mode === "navigate") === contentType.startsWith("text/html");
}

/** Names of what is beyond the room there is, oldest first; a new build brings some hundred files. */
export function surplus<T>(names: readonly T[], most: number): readonly T[] {
  return names.slice(0, Math.max(0, names.length - most));
}
