/** A page reads only the views of rows that changed since they were read (decision 0096). */
import type { RequestScope } from "#server/platform/http/index.ts";
import { fillNames, namesOfCompany } from "../tickets.view-names.ts";
import { keepSigned, keptView, ticketIdOf } from "../tickets.view-cache.ts";
import type { ViewSigner } from "../tickets.view-cache.ts";
import { readViewTexts } from "../tickets.view.queries.ts";

type Reader = Pick<RequestScope, "cached" | "readOne">;

/** As `readCachedViews`, of one ticket, whose statement read the view too where none was kept. Undefined for a deleted one. */
export async function readCachedView(
  reader: Reader,
  signer: ViewSigner,
  { version, view }: { readonly version: string; readonly view: string | null },
): Promise<Buffer | undefined> {
  if (view === null) {
    return (await readCachedViews(reader, signer, [version]))[0];
  }
  const filled = await fillNames(reader, view);
  return keepSigned(version, filled.names, filled.json, signer);
}

/**
 * JSON of the views of these row versions as it is sent, signed, in this order. A row that changed since its version was read
 * yields its newer view; a deleted one is left out.
 */
export async function readCachedViews(
  reader: Reader,
  signer: ViewSigner,
  versions: readonly string[],
): Promise<readonly Buffer[]> {
  const names = await reader.cached(namesOfCompany);
  const views = new Map(versions.map((version) => [version, keptView(version, names, signer)]));

  const missing = versions.filter((version) => views.get(version) === undefined);
  if (missing.length > 0) {
    const read = await readViewTexts(reader, signer.companyId, missing.map(ticketIdOf));
    const filled = await fillNames(reader, read.map(({ view }) => view).join("\n"));
    const written = filled.json.split("\n"); // inside JSON text a line break is escaped
    const byTicket = new Map(read.map(({ id }, index) => [id, written[index]!]));
    for (const version of missing) {
      const view = byTicket.get(ticketIdOf(version));
      views.set(version, view === undefined ? undefined : keepSigned(version, filled.names, view, signer));
    }
  }
  return [...views.values()].filter((view) => view !== undefined);
}
