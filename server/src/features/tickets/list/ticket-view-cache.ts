/** A page reads only the views of rows that changed since they were read (decision 0096). */
import type { RequestScope } from "#server/platform/http/index.ts";
import { fillNames, namesOfCompany } from "../tickets.view-names.ts";
import { keepView, keptView } from "../tickets.view-cache.ts";
import { readViewTexts } from "../tickets.view.queries.ts";

type Reader = Pick<RequestScope, "cached" | "readOne">;

/**
 * JSON text of the views of these row versions, in this order. A row that changed since its version was read yields its newer
 * view; a deleted one is left out.
 */
export async function readCachedViews(reader: Reader, companyId: number, versions: readonly string[]): Promise<string> {
  const names = await reader.cached(namesOfCompany);
  const views = new Map(versions.map((version) => [version, keptView(version, names)]));

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
        keepView(version, filled.names, view);
      }
    }
  }
  return `[${[...views.values()].filter((view) => view !== undefined).join()}]`;
}

/** A `ticketVersion` begins with the id. */
const ticketIdOf = (version: string) => Number.parseInt(version, 10);
