import { LRUCache } from "lru-cache";
import type { Cached, CacheRead } from "../ctx.ts";

/** What this process knows of its companies. Owned by the database handle: two handles of a test share nothing. */
export interface CompanyCache {
  get<T>(companyId: number, what: Cached<T>, load: () => Promise<T>, asked?: CacheRead): Promise<T>;
  /** An event of this type happened: by the event log, and at once for the commits of this process. */
  invalidate(companyId: number, type: string): void;
  /** Events may have been missed: everything is read again. */
  clear(): void;
}

/** The net for a process that does not hear the event log. */
const KEPT_MS = 60_000;
const COMPANIES = 5_000;

interface CompanyEntry {
  /** What is being read: an event that makes it stale meanwhile says so here, and it is not kept. */
  readonly reading: Set<{ readonly what: Cached<unknown>; isStale: boolean }>;
  readonly kept: Map<string, { readonly value: unknown; readonly what: Cached<unknown>; readonly until: number }>;
}

export function createCompanyCache(): CompanyCache {
  const shelves = new LRUCache<number, CompanyEntry>({ max: COMPANIES });

  function shelfOf(companyId: number): CompanyEntry {
    const shelf = shelves.get(companyId) ?? { reading: new Set(), kept: new Map() };
    shelves.set(companyId, shelf);
    return shelf;
  }

  return {
    async get<T>(
      companyId: number,
      what: Cached<T>,
      load: () => Promise<T>,
      { refresh = false }: CacheRead = {},
    ): Promise<T> {
      const shelf = shelfOf(companyId);
      const kept = shelf.kept.get(what.name);
      if (!refresh && kept && kept.until > performance.now()) {
        return kept.value as T;
      }
      const read = { what, isStale: false };
      shelf.reading.add(read);
      try {
        const value = await load();
        if (!read.isStale) {
          shelf.kept.set(what.name, { value, what, until: performance.now() + KEPT_MS });
        }
        return value;
      } finally {
        shelf.reading.delete(read);
      }
    },
    invalidate(companyId, type) {
      const shelf = shelves.peek(companyId);
      if (!shelf) {
        return;
      }
      for (const read of shelf.reading) {
        read.isStale ||= read.what.staleAfter.includes(type);
      }
      for (const [name, { what }] of shelf.kept) {
        if (what.staleAfter.includes(type)) {
          shelf.kept.delete(name);
        }
      }
    },
    clear: () => shelves.clear(),
  };
}
