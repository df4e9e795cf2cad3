import { LRUCache } from "lru-cache";
import type { Cached, CacheRead, DomainEvent } from "../ctx.ts";

/** In-memory cache of company values. Owned by the database handle, so that two handles of a test share nothing. */
export interface CompanyCache {
  /** `load` is given what events have left of the value. */
  get<T>(companyId: number, what: Cached<T>, load: (kept?: T) => Promise<T>, options?: CacheRead): Promise<T>;
  /** Drops values that this event invalidates. Called by the event tail, and at once for commits of this process. */
  invalidate(companyId: number, event: DomainEvent): void;
  /** Drops everything, when events may have been missed. */
  clear(): void;
}

/** Bound for a process that does not follow the event log. */
const TTL_MS = 60_000;
const COMPANIES = 5_000;

interface CompanyEntry {
  /** Loads in progress: an event that invalidates one meanwhile keeps its result out of the cache. */
  readonly reading: Set<{ readonly what: Cached<unknown>; isStale: boolean }>;
  readonly kept: Map<string, Kept>;
}

interface Kept {
  readonly value: unknown;
  /** An event has left a part of it. */
  readonly isPart: boolean;
  readonly what: Cached<unknown>;
  readonly until: number;
}

export function createCompanyCache(): CompanyCache {
  const companies = new LRUCache<number, CompanyEntry>({ max: COMPANIES });
  let sweptAt = performance.now();

  function entryOf(companyId: number): CompanyEntry {
    const entry = companies.get(companyId) ?? { reading: new Set(), kept: new Map() };
    companies.set(companyId, entry);
    return entry;
  }

  /** What nobody asks for again is not kept beyond its time. */
  function sweep(): void {
    const now = performance.now();
    if (now - sweptAt < TTL_MS) {
      return;
    }
    sweptAt = now;
    for (const { kept } of companies.values()) {
      kept.forEach(({ until }, name) => until <= now && kept.delete(name));
    }
  }

  return {
    async get<T>(
      companyId: number,
      what: Cached<T>,
      load: (kept?: T) => Promise<T>,
      { refresh = false }: CacheRead = {},
    ): Promise<T> {
      const entry = entryOf(companyId);
      const found = entry.kept.get(what.name);
      const kept = !refresh && found && found.until > performance.now() ? found : undefined;
      if (kept && !kept.isPart) {
        return kept.value as T;
      }
      const read = { what, isStale: false };
      entry.reading.add(read);
      try {
        const value = await load(kept?.value as T | undefined);
        sweep();
        if (!read.isStale) {
          // What was completed is as old as what was kept of it.
          const until = kept?.until ?? performance.now() + TTL_MS;
          entry.kept.set(what.name, { value, isPart: false, what, until });
        }
        return value;
      } finally {
        entry.reading.delete(read);
      }
    },
    invalidate(companyId, event) {
      const entry = companies.peek(companyId);
      if (!entry) {
        return;
      }
      for (const read of entry.reading) {
        read.isStale ||= read.what.staleAfter.includes(event.type);
      }
      for (const [name, kept] of entry.kept) {
        const { what, value } = kept;
        if (!what.staleAfter.includes(event.type)) {
          continue;
        }
        const left = what.keptAfter?.(value, event);
        if (left === undefined) {
          entry.kept.delete(name);
        } else if (left !== value) {
          entry.kept.set(name, { ...kept, value: left, isPart: true });
        }
      }
    },
    clear: () => companies.clear(),
  };
}
