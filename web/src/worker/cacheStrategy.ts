/** Cache strategy of the service worker. Pure, for table tests. */

/** `kept`: cache first. `page`: network first. `network`: not handled by the worker. */
export type CacheStrategy = "kept" | "page" | "network";

/** Paths that a browser may navigate to and that are not screens of the app. */
const notScreens = /^\/(docs|media|health|ready|metrics|version|source|assets|socket\.io)(\/|$)/;
/** Files of the shell without a hash in their names. */
const plainFiles = /^\/(favicon\.svg|icon-[\w-]+\.(svg|png)|first-paint\.js|manifest\.webmanifest)$/;

export interface RequestFacts {
  readonly method: string;
  /** Of the Request: `navigate` for an address that a person opens. */
  readonly mode: string;
  readonly url: string;
}

/**
 * Hashed files never change: cache first. Screens and files without a hash are network first, with the cache as
 * fallback. Everything else is the API, which shares URLs with screens: never cached, never answered by the worker.
 */
export function cacheStrategyOf({ method, mode, url }: RequestFacts, origin: string): CacheStrategy {
  const { pathname, origin: theirs } = new URL(url);
  if (method !== "GET" || theirs !== origin) {
    return "network";
  }
  if (mode === "navigate") {
    return notScreens.test(pathname) ? "network" : "page";
  }
  return pathname.startsWith("/assets/") ? "kept" : plainFiles.test(pathname) ? "page" : "network";
}

/** The cache key: every screen is the same page. */
export function cacheKeyOf({ mode, url }: RequestFacts): string {
  return mode === "navigate" ? "/" : new URL(url).pathname;
}

/** Only complete responses of the expected type are cached. */
export function isCacheable(asked: RequestFacts, status: number, contentType: string): boolean {
  return status === 200 && (asked.mode === "navigate") === contentType.startsWith("text/html");
}

/** What a proxy answers while the server restarts: the kept page is better, and says by itself that the server is away. */
export function isServerAway(asked: RequestFacts, status: number): boolean {
  return asked.mode === "navigate" && status >= 502 && status <= 504;
}

/** Keys to evict, oldest first; a new build adds some hundred files. */
export function evictable<T>(names: readonly T[], most: number): readonly T[] {
  return names.slice(0, Math.max(0, names.length - most));
}
