import type { TicketFilter } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import type { Edge } from "#server/platform/http/index.ts";
import { countQuery, isCountedApart, listQuery } from "./list-tickets.queries.ts";
import { readCachedViews } from "./ticket-view-cache.ts";
import { scopeOf } from "./list-scope.ts";

type Door = Pick<Edge, "cached" | "readOne">;

/** A page of the tickets that this person may see, as the JSON text of the whole answer, its links not signed yet. */
export async function listTickets(door: Door, person: UserActor, filter: TicketFilter): Promise<string> {
  const { statement, values } = listQuery(person, scopeOf(person, filter), filter);
  const [[row], apart] = await Promise.all([
    door.readOne(statement, values),
    isCountedApart(filter) ? countTickets(door, person, filter) : undefined,
  ]);
  if (!row) {
    throw new Error("A list without a row");
  }
  const versions = row.versions === "" ? [] : row.versions.split(",");
  const tickets = await readCachedViews(door, person.companyId, versions);
  const found = row.found === null ? "" : `"found":${row.found},`;
  return `{"tickets":${tickets},${found}"count":${row.count ?? apart ?? 0},"hasMore":${row.hasMore}}`;
}

/** How many there are, up to `countCap`. Kept until a ticket moves: counting costs as much as showing a page. */
export function countTickets(door: Door, person: UserActor, filter: TicketFilter): Promise<number> {
  const { statement, values } = countQuery(person, scopeOf(person, filter), filter);
  const count: Cached<number> = {
    name: `${statement.name} ${JSON.stringify(values)}`,
    staleAfter: moves,
    load: async (ctx) => (await ctx.raw(statement, values))[0]?.count ?? 0,
  };
  return door.cached(count);
}

/** What brings tickets into a list or takes them from it. */
const moves = [
  "ticket.updated",
  "ticket.deleted",
  "contact.deleted",
  "queue.deleted",
  "user.deleted",
  "connection.deleted",
];
