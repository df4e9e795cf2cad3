/** Cache of ticket views by row version: a page reads only the views of rows that changed since (decision 0096). */
import { LRUCache } from "lru-cache";
import type { RequestScope } from "#server/platform/http/index.ts";
import { fillNames, namesOfCompany } from "../tickets.view-names.ts";
import type { Names } from "../tickets.view-names.ts";
import { readViewTexts } from "../tickets.view.queries.ts";

type Reader = Pick<RequestScope, "cached" | "readOne">;

/** Characters, for all companies together; a view has about seven hundred. */
const MAX_CHARACTERS = 24 * 1024 * 1024;

/** By `ticketVersion`. An entry is valid only with the names it was written with, which belong to one company and database. */
const cache = new LRUCache<string, { readonly view: string; readonly names: Names }>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ view }) => view.length,
});

/**
 * JSON text of the views of these row versions, in this order. A row that changed since its version was read yields its newer
 * view; a deleted one is left out.
 */
export async function readCachedViews(reader: Reader, companyId: number, versions: readonly string[]): Promise<string> {
  const names = await reader.cached(namesOfCompany);
  const views = new Map(
    versions.map((version) => {
      const cached = cache.get(version);
      return [version, cached?.names === names ? cached.view : undefined];
    }),
  );

  const missing = versions.filter((version) => views.get(version) === undefined);
  if (missing.length > 0) {
    const read = await readViewTexts(reader, companyId, missing.map(ticketIdOf));
    const filled = await fillNames(reader, read.map(({ view }) => view).join("\n"));
    const written = filled.json.split("\n"); // inside JSON text a line break is escaped
    const byTicket = new Map(read.map(({ id }, index) => [id, written[index]!]));
    for (const version of missing) {
      const view = byTicket.get(ticketIdOf(version));
      views.set(version, view);
      if (view !== undefined) {
        cache.set(version, { view, names: filled.names });
      }
    }
  }
  return `[${[...views.values()].filter((view) => view !== undefined).join()}]`;
}

/** A `ticketVersion` begins with the id. */
const ticketIdOf = (version: string) => Number.parseInt(version, 10);
