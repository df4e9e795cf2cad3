import { openLaneId, pageSize } from "@prosa/contract";
import { namedByText } from "#server/platform/db/index.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { ticketVersion } from "../tickets.view.queries.ts";
import { idsOfLane, lanesCte, orderSql, rangeLimit, sourceOf, Values } from "./ticket-source.queries.ts";
import type { ListSelection, Source } from "./ticket-source.queries.ts";

/** Counts stop here: an exact count of a long list costs more than the list, and a badge shows "999+" (decision 0051). */
export const countCap = 1_000;

export interface ListQuery<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

export interface PageRow {
  /** `ticketVersion` of each row of the page, separated by commas. */
  readonly versions: string;
  /** JSON text: the messages that matched the search, before `withSnippets` and `fillNames`; null without a search. */
  readonly found: string | null;
  /** Null where another statement counts: see `isCountCacheable`. */
  readonly count: number | null;
  readonly hasMore: boolean;
  /** Null without a search. */
  readonly countIsLowerBound: boolean | null;
  /** The rarity of the search text was a mistake: the page must be read without it. */
  readonly isMistaken: boolean;
}

/**
 * The statement of a page of tickets: first the ids, from index ranges that each stop after a page; then the versions of the
 * forty rows of the page, whose views are mostly cached (`readCachedViews`).
 */
export function listQuery(selection: ListSelection): ListQuery<PageRow> {
  const values = new Values();
  const offset = (selection.filter.pageNumber - 1) * pageSize.tickets;
  const source = sourceOf(values, selection);
  const skip = values.add(offset);
  const order = (alias: string) => orderSql(selection.filter.order, alias);
  const shown = `(select * from page order by ${order("page")} limit ${pageSize.tickets})`;

  const text = `
    with ${source.ctes} page as materialized (
      select id, last_message_at, waiting_since from (${source.rows(rangeLimit(offset))}) b
      order by ${order("b")} limit ${pageSize.tickets + 1} offset ${skip}::int)
    select
      coalesce((
        select string_agg(${ticketVersion}, ',' order by ${order("p")})
        from ${shown} p join tickets t on t.id = p.id join contacts c on c.id = t.contact_id), '') as versions,
      ${source.match ? `coalesce((select json_agg(${source.match}) from ${shown} p join found f on f.id = p.id join messages fm on fm.id = f.message_id), '[]')::text` : "null"} as found,
      ${isCountCacheable(selection) ? "null::int" : countOf(source)} as count,
      (select count(*) > ${pageSize.tickets} from page) as "hasMore",
      ${source.isCut ? `(${source.isCut} or (select count(*) from found) >= ${countCap})` : "null::boolean"} as "countIsLowerBound",
      ${source.isMistaken ?? "false"} as "isMistaken"`;
  return { statement: namedByText("tickets_list", text), values: values.list };
}

/** Does the count depend only on status, queue, owner and lane, so that it can be cached until a ticket changes? */
export function isCountCacheable({ filter }: Pick<ListSelection, "filter">): boolean {
  const { searchParam, tags, users, date, updatedAt, withUnreadMessages } = filter;
  return (
    searchParam === "" && tags.length + users.length === 0 && date === "" && updatedAt === "" && !withUnreadMessages
  );
}

/** The statement that counts the tickets of a list, up to `countCap`. */
export function countQuery(selection: ListSelection): ListQuery<{ count: number }> {
  const values = new Values();
  const unordered = { ...selection, filter: { ...selection.filter, order: "newest" as const } };
  const source = sourceOf(values, unordered);
  const text = `with ${source.ctes} counted (count) as (select ${countOf(source)}) select count from counted`;
  return { statement: namedByText("tickets_count", text), values: values.list };
}

const countOf = ({ ids }: Pick<Source, "ids">) =>
  `(select count(*)::int from (select from (${ids(countCap)}) b limit ${countCap}) c)`;

export interface LaneCount {
  readonly laneId: number;
  readonly count: number;
}

/**
 * The statement that counts the tickets of a list in each lane but the open one, or in some of them, up to `countCap` each; a ticket with
 * the tags of two lanes counts in both. Without a search: each is a count of index ranges of its tag.
 */
export function tagLanesQuery(selection: ListSelection, laneIds?: readonly number[]): ListQuery<LaneCount> {
  const values = new Values();
  const lanes = laneIds
    ? `lane (id) as materialized (select unnest(${values.add(laneIds)}::int[]))`
    : `${lanesCte(values.add(selection.actor.companyId))} lane (id) as materialized (select unnest(ids) from lanes)`;
  const text = `
    with ${lanes}
    select lane.id as "laneId", ${countOf({ ids: idsOfLane(values, selection) })} as count from lane order by 1`;
  return { statement: namedByText("tickets_by_lane", text), values: values.list };
}

/**
 * The statement that counts what a search found in each lane, the open one first. One pass over it: `offset 0` keeps the planner from
 * reading the closed tickets of the tags.
 */
export function foundByLaneQuery(selection: ListSelection): ListQuery<LaneCount> {
  const values = new Values();
  const source = sourceOf(values, selection);
  const text = `
    with ${lanesCte(values.add(selection.actor.companyId))} ${source.ctes} placed as materialized (
      select coalesce(tl.tag_id, ${openLaneId}) as id, count(*) as count
      from (${source.rows()}) b left join lateral (
        select tag_id from ticket_tags where ticket_id = b.id and tag_id = any((select ids from lanes)::int[]) offset 0) tl on true
      group by 1)
    select lane.id as "laneId", least(coalesce(p.count, 0), ${countCap})::int as count
    from (select ${openLaneId} as id union all select unnest(ids) from lanes) lane left join placed p on p.id = lane.id
    order by lane.id`;
  return { statement: namedByText("tickets_found_by_lane", text), values: values.list };
}
