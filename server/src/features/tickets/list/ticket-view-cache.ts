/** Do the views of a page have to be written again? Only of rows that have changed since (decision 0096). */
import { LRUCache } from "lru-cache";
import type { Edge } from "#server/platform/http/index.ts";
import { fillNames, namesOfCompany } from "../tickets.view-names.ts";
import type { Names } from "../tickets.view-names.ts";
import { readViewTexts } from "../tickets.view.queries.ts";

type Door = Pick<Edge, "cached" | "readOne">;

/** Characters of all companies together; a view has about seven hundred. */
const KEPT_CHARACTERS = 24 * 1024 * 1024;

/** By row versions (`ticketVersion`). Good only for the names that it was written with: those belong to one company and database. */
const kept = new LRUCache<string, { readonly view: string; readonly names: Names }>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: ({ view }) => view.length,
});

/**
 * The JSON text of the views of these rows, in this order. A row that changes between its version and its view shows the
 * newer one; one that is gone by then is left out.
 */
export async function readCachedViews(door: Door, companyId: number, versions: readonly string[]): Promise<string> {
  const known = await door.cached(namesOfCompany);
  const views = new Map(
    versions.map((version) => {
      const found = kept.get(version);
      return [version, found?.names === known ? found.view : undefined];
    }),
  );

  const missing = versions.filter((version) => views.get(version) === undefined);
  if (missing.length > 0) {
    const read = await readViewTexts(door, companyId, missing.map(ticketIn));
    const { json, names } = await fillNames(door, read.map(({ view }) => view).join("\n"));
    const written = json.split("\n"); // JSON text has no bare line break
    const byTicket = new Map(read.map(({ id }, index) => [id, written[index]!]));
    for (const version of missing) {
      const view = byTicket.get(ticketIn(version));
      views.set(version, view);
      if (view !== undefined) {
        kept.set(version, { view, names });
      }
    }
  }
  return `[${[...views.values()].filter((view) => view !== undefined).join()}]`;
}

/** See `ticketVersion`. */
const ticketIn = (version: string) => Number.parseInt(version, 10);
