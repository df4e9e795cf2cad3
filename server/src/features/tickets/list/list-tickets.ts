import type { TicketFilter } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { scopeOf } from "./list-scope.ts";
import { countQuery, isCountCacheable, listQuery } from "./list-tickets.queries.ts";
import { readCachedViews } from "./ticket-view-cache.ts";

type Reader = Pick<RequestScope, "cached" | "readOne">;

/** A page of the tickets that the user may see: the JSON text of the response, with media URLs not signed yet. */
export async function listTickets(reader: Reader, user: UserActor, filter: TicketFilter): Promise<string> {
  const { statement, values } = listQuery(user, scopeOf(user, filter), filter);
  const [[row], cachedCount] = await Promise.all([
    reader.readOne(statement, values),
    isCountCacheable(filter) ? countTickets(reader, user, filter) : undefined,
  ]);
  if (!row) {
    throw new Error("The statement of a ticket list returned no row");
  }
  const versions = row.versions === "" ? [] : row.versions.split(",");
  const tickets = await readCachedViews(reader, user.companyId, versions);
  const found = row.found === null ? "" : `"found":${row.found},`;
  return `{"tickets":${tickets},${found}"count":${row.count ?? cachedCount ?? 0},"hasMore":${row.hasMore}}`;
}

/** Number of tickets, up to `countCap`. Cached until a ticket moves, because counting costs as much as reading a page. */
export function countTickets(reader: Reader, user: UserActor, filter: TicketFilter): Promise<number> {
  const { statement, values } = countQuery(user, scopeOf(user, filter), filter);
  const count: Cached<number> = {
    name: `${statement.name} ${JSON.stringify(values)}`,
    staleAfter: invalidatingEvents,
    load: async (ctx) => (await ctx.raw(statement, values))[0]?.count ?? 0,
  };
  return reader.cached(count);
}

/** Events that add tickets to a list or remove them. */
const invalidatingEvents = [
  "ticket.updated",
  "ticket.deleted",
  "contact.deleted",
  "queue.deleted",
  "user.deleted",
  "connection.deleted",
];
