import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { READ_NAMES } from "./tickets.view-names.queries.ts";
import type { NamesRow } from "./tickets.view-names.queries.ts";

/**
 * Names for ticket views. The database writes a view with the ids of users, queues, connections, tags and products (see
 * tickets.view.queries.ts); they are replaced here from a cache. Joining the five tables for each of forty tickets was half
 * of the cost of a list (decision 0084).
 */
export type Names = Readonly<Record<keyof NamesRow, NamesById>>;

/** The JSON of each row by its id, in the order of names. */
type NamesById = ReadonlyMap<number, { readonly json: string; readonly rank: number }>;

/** A transaction (`Ctx`), or the edge of a request. */
export type NameSource = Pick<Ctx, "cached">;

const changeEvents = (noun: string) => ["created", "updated", "deleted"].map((verb) => `${noun}.${verb}`);

export const namesOfCompany: Cached<Names> = {
  name: "ticket.names",
  staleAfter: ["user", "queue", "connection", "tag", "product"].flatMap(changeEvents),
  load: readNames,
};

/** Ids in the JSON of a view. Inside a text value a quote is escaped, so that no message text can match. */
const idFields = /"(user|queue|whatsapp)":(\d+)|"(tags|products)":\[([\d,]+)\]/g;

export interface Filled {
  readonly json: string;
  /** The names that were filled in. */
  readonly names: Names;
}

/** Replaces the ids in JSON views by names. An id that the cache does not have makes it reload, once. */
export async function fillNames({ cached }: NameSource, json: string): Promise<Filled> {
  const result = replaceIds(await cached(namesOfCompany), json);
  return result.isComplete ? result : replaceIds(await cached(namesOfCompany, { refresh: true }), json);
}

function replaceIds(names: Names, json: string): Filled & { readonly isComplete: boolean } {
  let isComplete = true;
  const find = (table: NamesById, id: string) => {
    const found = table.get(Number(id));
    isComplete &&= found !== undefined;
    return found;
  };
  const text = json.replace(idFields, (_all, one?: "user" | "queue" | "whatsapp", id = "", many?: "tags", ids = "") => {
    if (one) {
      return `"${one}":${find(names[one], id)?.json ?? "null"}`;
    }
    const table = names[many!];
    const found = (ids as string).split(",").flatMap((each) => find(table, each) ?? []);
    const ordered = found.toSorted((left, right) => left.rank - right.rank);
    return `"${many}":[${ordered.map((each) => each.json).join()}]`;
  });
  return { json: text, names, isComplete };
}

async function readNames({ raw, companyId }: Ctx): Promise<Names> {
  const [row] = await raw(READ_NAMES, [companyId]);
  const byId = (rows: readonly { readonly id: number }[] = []): NamesById =>
    new Map(rows.map((each, rank) => [each.id, { json: JSON.stringify(each), rank }]));
  return {
    user: byId(row?.user),
    queue: byId(row?.queue),
    whatsapp: byId(row?.whatsapp),
    tags: byId(row?.tags),
    products: byId(row?.products),
  };
}
