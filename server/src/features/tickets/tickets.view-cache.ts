/** Ticket views in memory, by row version: no invalidation is needed, because a changed row has another one (decision 0096). */
import { LRUCache } from "lru-cache";
import type { Names } from "./tickets.view-names.ts";

/** Characters, for all companies together; a view has about seven hundred. */
const MAX_CHARACTERS = 24 * 1024 * 1024;

/** By `ticketVersion`. An entry is valid only with the names it was written with, which belong to one company and database. */
const cache = new LRUCache<string, { readonly view: string; readonly names: Names }>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ view }) => view.length,
});

/** JSON text of the view of this row version, with these names filled in. */
export function keptView(version: string, names: Names): string | undefined {
  const kept = cache.get(version);
  return kept?.names === names ? kept.view : undefined;
}

/** Only of committed rows: a transaction that writes a row twice leaves the first version with the name of the second. */
export function keepView(version: string, names: Names, view: string): void {
  cache.set(version, { view, names });
}
