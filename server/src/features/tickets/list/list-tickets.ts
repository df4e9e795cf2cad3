import { openLaneId, ticketStatuses } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";
import type { Ctx, DomainEvent, UserActor } from "#server/platform/ctx.ts";
import { JsonText } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { keepsAssignment, relabelledBy } from "../tickets.events.ts";
import { scopeOf } from "./list-scope.ts";
import { countQuery, foundByLaneQuery, isCountCacheable, listQuery, tagLanesQuery } from "./list-tickets.queries.ts";
import type { LaneCount, ListQuery, PageRow } from "./list-tickets.queries.ts";
import { fillNames } from "../tickets.view-names.ts";
import { rarityOf, withSnippets } from "../search/index.ts";
import type { Rarity } from "../search/index.ts";
import { readCachedViews } from "./ticket-view-cache.ts";
import type { ListSelection } from "./ticket-source.queries.ts";

export type Reader = Pick<RequestScope, "cached" | "readOne">;

/** A page of the tickets that the user may see, as the response. */
export function listTickets(
  reader: Reader,
  media: MediaLinks,
  user: UserActor,
  filter: TicketFilter,
): Promise<JsonText> {
  const selection = selectionOf(user, filter);
  return readPage(reader, media, selection, () => countSelection(reader, selection));
}

/** Number of tickets, up to `countCap`. Cached until a ticket moves, because counting costs as much as reading a page. */
export function countTickets(reader: Reader, user: UserActor, filter: TicketFilter): Promise<number> {
  return countSelection(reader, selectionOf(user, filter));
}

function selectionOf(actor: UserActor, filter: TicketFilter): ListSelection {
  const statuses = filter.status === "" ? ticketStatuses : [filter.status];
  return { actor, views: [{ statuses, scope: scopeOf(actor, filter) }], filter };
}

/** As `listTickets`. `count` is called where the statement of the page does not count (`isCountCacheable`). */
export async function readPage(
  reader: Reader,
  media: MediaLinks,
  selection: ListSelection,
  count: () => Promise<number>,
): Promise<JsonText> {
  const [row, cachedCount] = await Promise.all([
    readRow(reader, selection),
    isCountCacheable(selection) ? count() : undefined,
  ]);
  const versions = row.versions === "" ? [] : row.versions.split(",");
  const views = await readCachedViews(reader, { media, companyId: selection.actor.companyId }, versions);
  const found =
    row.found === null
      ? ""
      : `"found":${(await fillNames(reader, withSnippets(row.found, selection.filter.searchParam))).json},`;
  const isLowerBound = row.countIsLowerBound === null ? "" : `,"countIsLowerBound":${row.countIsLowerBound}`;
  return new JsonText(
    '{"tickets":[',
    ...views.flatMap((view, at) => (at === 0 ? view : [comma, view])),
    `],${found}"count":${row.count ?? cachedCount ?? 0},"hasMore":${row.hasMore}${isLowerBound}}`,
  );
}

async function readRow(reader: Reader, selection: ListSelection): Promise<PageRow> {
  const { actor, filter } = selection;
  const rarity = filter.searchParam === "" ? undefined : await rarityOf(reader, actor.companyId, filter.searchParam);
  const { statement, values } = listQuery({ ...selection, ...(rarity && { rarity }) });
  const [row] = await reader.readOne(statement, values);
  if (!row) {
    throw new Error("The statement of a ticket list returned no row");
  }
  if (rarity && row.isMistaken) {
    const known = listQuery({ ...selection, rarity: { ...rarity, isInFewMessages: false, names: "unknown" } });
    const [again] = await reader.readOne(known.statement, known.values);
    return again!;
  }
  return row;
}

const comma = Buffer.from(",");

/** As `countTickets`. */
export function countSelection(reader: Reader, selection: ListSelection): Promise<number> {
  const query = countQuery(selection);
  return reader.cached({
    name: nameOf(query),
    staleAfter: invalidatingEvents,
    keptAfter: (count, event) => (keepsAssignment(event) ? count : undefined),
    load: (ctx) => count(ctx, query),
  });
}

const nameOf = ({ statement, values }: ListQuery<unknown>) => `${statement.name} ${JSON.stringify(values)}`;

async function count(ctx: Ctx, { statement, values }: ListQuery<{ count: number }>): Promise<number> {
  return (await ctx.raw(statement, values))[0]?.count ?? 0;
}

/** How many tickets each lane holds, up to `countCap`; a lane without tickets with 0. Cached like `countTickets`, each until a card comes or goes. */
export async function countByLane(reader: Reader, selection: ListSelection): Promise<readonly LaneCount[]> {
  const { actor, filter } = selection;
  if (filter.searchParam !== "") {
    // Of names nothing is assumed: only the statement of a page tells a mistake.
    const rarity: Rarity = { ...(await rarityOf(reader, actor.companyId, filter.searchParam)), names: "unknown" };
    const { statement, values } = foundByLaneQuery({ ...selection, rarity });
    return reader.readOne(statement, values);
  }
  const counts = await reader.cached<LaneCounts>({
    name: nameOf(tagLanesQuery(selection)),
    staleAfter: [...invalidatingEvents, "tag.created", "tag.updated", "tag.deleted"],
    keptAfter: withoutRelabelled,
    load: (ctx, kept) => countLanes(ctx, selection, kept),
  });
  return [...counts].map(([laneId, count]) => ({ laneId, count: count ?? 0 }));
}

/** By lane, the open one first; undefined where cards have come or gone since they were counted. */
type LaneCounts = ReadonlyMap<number, number | undefined>;

function withoutRelabelled(counts: LaneCounts, event: DomainEvent): LaneCounts | undefined {
  const lanes = relabelledBy(event);
  return lanes?.some((id) => counts.has(id as number))
    ? new Map([...counts].map(([id, count]) => [id, lanes.includes(id) ? undefined : count]))
    : lanes && counts;
}

/** Counts the lanes that `kept` does not know, without it all. */
async function countLanes(ctx: Ctx, selection: ListSelection, kept?: LaneCounts): Promise<LaneCounts> {
  const unknown = kept && [...kept].filter(([, count]) => count === undefined).map(([id]) => id);
  const tagLanes = unknown?.filter((id) => id !== openLaneId);
  const { statement, values } = tagLanesQuery(selection, tagLanes);
  const isOpenLaneKnown = unknown !== undefined && !unknown.includes(openLaneId);
  const [open, others] = await Promise.all([
    isOpenLaneKnown ? kept?.get(openLaneId) : count(ctx, countQuery({ ...selection, laneId: openLaneId })),
    tagLanes?.length === 0 ? [] : ctx.raw(statement, values),
  ]);
  return new Map([...(kept ?? []), [openLaneId, open], ...others.map(({ laneId, count }) => [laneId, count] as const)]);
}

/** Events that add tickets to a list or remove them, or change their labels. */
const invalidatingEvents = [
  "ticket.updated",
  "ticket.deleted",
  "contact.deleted",
  "queue.deleted",
  "user.deleted",
  "connection.deleted",
];
