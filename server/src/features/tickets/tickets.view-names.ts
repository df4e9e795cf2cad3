import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { READ_NAMES } from "./tickets.view-names.queries.ts";
import type { NamesRow } from "./tickets.view-names.queries.ts";

/**
 * The database writes a ticket's view with ids where people, queues, lines, tags and products belong (see
 * tickets.view.queries.ts); here they get their names from memory. Joining them forty times a page was half of what a
 * list cost (decision 0084).
 */
export type Names = Readonly<Record<keyof NamesRow, Shelf>>;

/** The JSON of each row by its id, in the order of names. */
type Shelf = ReadonlyMap<number, { readonly json: string; readonly rank: number }>;

/** A transaction (`Ctx`), or the door of a request. */
export type NameSource = Pick<Ctx, "cached">;

const changed = (noun: string) => ["created", "updated", "deleted"].map((happened) => `${noun}.${happened}`);

export const namesOfCompany: Cached<Names> = {
  name: "ticket.names",
  staleAfter: ["user", "queue", "connection", "tag", "product"].flatMap(changed),
  load: readNames,
};

/** In the JSON of a view; inside a text value a quote is escaped, so that no text can pretend to be one of these. */
const blanks = /"(user|queue|whatsapp)":(\d+)|"(tags|products)":\[([\d,]+)\]/g;

export interface Filled {
  readonly json: string;
  /** What it was filled with. */
  readonly names: Names;
}

/** Views with their names. An id that memory does not know is asked of the database, once. */
export async function fillNames({ cached }: NameSource, json: string): Promise<Filled> {
  const known = filled(await cached(namesOfCompany), json);
  return known.isWhole ? known : filled(await cached(namesOfCompany, { again: true }), json);
}

function filled(names: Names, json: string): Filled & { readonly isWhole: boolean } {
  let isWhole = true;
  const look = (shelf: Shelf, id: string) => {
    const found = shelf.get(Number(id));
    isWhole &&= found !== undefined;
    return found;
  };
  const text = json.replace(blanks, (_all, one?: "user" | "queue" | "whatsapp", id = "", many?: "tags", ids = "") => {
    if (one) {
      return `"${one}":${look(names[one], id)?.json ?? "null"}`;
    }
    const shelf = names[many!];
    const found = (ids as string).split(",").flatMap((each) => look(shelf, each) ?? []);
    const ordered = found.toSorted((left, right) => left.rank - right.rank);
    return `"${many}":[${ordered.map((each) => each.json).join()}]`;
  });
  return { json: text, names, isWhole };
}

async function readNames({ raw, companyId }: Ctx): Promise<Names> {
  const [row] = await raw(READ_NAMES, [companyId]);
  const shelf = (rows: readonly { readonly id: number }[] = []): Shelf =>
    new Map(rows.map((each, rank) => [each.id, { json: JSON.stringify(each), rank }]));
  return {
    user: shelf(row?.user),
    queue: shelf(row?.queue),
    whatsapp: shelf(row?.whatsapp),
    tags: shelf(row?.tags),
    products: shelf(row?.products),
  };
}
