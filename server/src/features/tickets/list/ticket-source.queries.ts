import { openLaneId, pageSize } from "@prosa/contract";
import type { TicketFilter, TicketOrder, TicketStatus } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import { searchSql } from "../search/index.ts";
import type { Rarity } from "../search/index.ts";
import type { ListScope } from "./list-scope.ts";

/** Tickets of some statuses, as far as the scope reaches. A list is one or several of them. */
export interface ListView {
  readonly statuses: readonly TicketStatus[];
  readonly scope: ListScope;
}

/** Which tickets a statement is about. */
export interface ListSelection {
  readonly actor: UserActor;
  readonly views: readonly ListView[];
  readonly filter: Omit<TicketFilter, "status" | "showAll" | "queueIds">;
  /** Of the search text, where it is known. */
  readonly rarity?: Rarity;
  /** Only the tickets with this lane's tag; `openLaneId`: those without any lane's tag. */
  readonly laneId?: number | undefined;
}

/** SQL that yields the ids of a list. */
export interface Source {
  /** Common table expressions that the branches use. */
  readonly ctes: string;
  /** SQL of the JSON of the message that matched. */
  readonly match?: string;
  /** SQL of a boolean: did the search stop before it knew all matches? */
  readonly isCut?: string;
  /** SQL of a boolean: was the rarity of the search text a mistake, so that matches may be missing? */
  readonly isMistaken?: string;
  /** The union of the index ranges; with a limit each is in the order of the filter and stops there. */
  rows(limit?: number): string;
  /** As `rows`, with no column but `id` and in no order: for a count. */
  ids(limit: number): string;
}

type Range = (limit?: number) => string;

const unknownRarity: Rarity = { isInFewMessages: false, names: "unknown", isCompanyLarge: false };

/** SQL of the order of a list; `alias` is a row with the columns of `Source.rows`. Nulls, who do not wait, come last. */
export function orderSql(order: TicketOrder, alias: string): string {
  const newest = `${alias}.last_message_at desc, ${alias}.id desc`;
  return order === "waiting" ? `${alias}.waiting_since, ${newest}` : newest;
}

const rowColumns = (alias: string) => `${alias}.id, ${alias}.last_message_at, ${alias}.waiting_since`;

const firstRows = (order: TicketOrder, limit?: number) =>
  limit === undefined ? "" : `order by ${orderSql(order, "t")} limit ${limit}`;

/**
 * A closed ticket never waits: `tickets_waiting` leaves those out, and their own range is newest first. Lists of waiting
 * tickets are therefore read as two views.
 */
function viewsByOrder(views: readonly ListView[], order: TicketOrder): readonly (ListView & { order: TicketOrder })[] {
  if (order === "newest") {
    return views.map((view) => ({ ...view, order }));
  }
  return views.flatMap((view) => {
    const waiting = view.statuses.filter((status) => status !== "closed");
    const closed = view.statuses.filter((status) => status === "closed");
    return [
      ...(waiting.length > 0 ? [{ ...view, statuses: waiting, order }] : []),
      ...(closed.length > 0 ? [{ ...view, statuses: closed, order: "newest" as const }] : []),
    ];
  });
}

/**
 * Ranges of the indexes tickets_list, tickets_waiting, tickets_of_queue and tickets_of_user; with tags those of ticket_tags, which
 * carries what these begin with (decision 0180); with a search the tickets that it found first.
 */
export function sourceOf(values: Values, selection: ListSelection): Source {
  const { actor, views, filter } = selection;
  const company = values.add(actor.companyId);
  const lane = laneFilter(values, company, selection.laneId);
  const rest = `${otherFilters(values, company, filter)} ${lane.where}`;

  const ranges = ({ order, ...view }: ListView & { order: TicketOrder }): Range[] => {
    const isWaiting = order === "waiting" ? "and t.status <> 'closed'" : ""; // names the partial index
    // One range for each combination of the outer rows.
    const range =
      (from: string, where: string): Range =>
      (limit) => `
      select ${rowColumns("b")} from ${from} cross join lateral (
        select ${rowColumns("t")} from tickets t
        where t.company_id = ${company}::int and t.status = s.status ${isWaiting} ${where} ${rest}
        ${firstRows(order, limit)}) b`;
    return filter.users.length > 0
      ? [rangeOfUsers(values, actor, view, filter.users, range)]
      : rangesOf(values, actor, view, range);
  };
  const tags = lane.tag ? [lane.tag.id] : filter.tags;
  if (filter.searchParam === "" && tags.length > 0) {
    const of = `unnest(${values.add(distinct(tags))}::int[])`;
    return { ctes: lane.ctes, ...taggedSource(values, selection, { company, rest, of, isOne: tags.length === 1 }) };
  }
  if (filter.searchParam === "") {
    const rows = union(viewsByOrder(views, filter.order).flatMap(ranges));
    return { ctes: lane.ctes, rows, ids: rows };
  }
  // When it is asked for: PostgreSQL takes no value that a statement does not use.
  let newest: Source | undefined;
  const search = searchSql(values, { ...filter, rarity: selection.rarity ?? unknownRarity }, (limit) => {
    newest ??= sourceOf(values, { ...selection, filter: { ...filter, searchParam: "", order: "newest" } });
    return newest.rows(limit);
  });
  const isSeen = [visibleInViews(values, actor, views), ofUsers(values, filter), hasTag(values, filter)].join(" ");
  // once, for the page and for the count
  const seen = `
    seen as materialized (
      select ${rowColumns("t")} from tickets t
      where t.company_id = ${company}::int and t.id = any(array(select id from found)) ${isSeen} ${rest} ${lane.tag?.isOn ?? ""}),`;
  return {
    ctes: lane.ctes + search.ctes + seen,
    match: search.json,
    isCut: search.isCut,
    isMistaken: search.isMistaken,
    rows: (limit) => `select ${rowColumns("t")} from seen t ${firstRows(filter.order, limit)}`,
    ids: (limit) => `select t.id from seen t limit ${limit}`,
  };
}

/** SQL that yields the ids of a lane's tickets, for a lane in the row `lane (id)` around it; without a search. */
export function idsOfLane(values: Values, selection: ListSelection): Source["ids"] {
  const company = values.add(selection.actor.companyId);
  return taggedSource(values, selection, { company, rest: "", of: "lateral (select lane.id)", isOne: true }).ids;
}

/**
 * Ranges of the rows of the tags, each joined with its ticket. They are in the order of hours: the last hour is read whole and
 * sorted with the rest. `of` is a table expression of the tags. A count without conditions on the ticket reads nothing but the index.
 */
function taggedSource(
  values: Values,
  { actor, views, filter }: ListSelection,
  { company, rest, of, isOne }: { company: string; rest: string; of: string; isOne: boolean },
): Pick<Source, "rows" | "ids"> {
  const parts = viewsByOrder(views, filter.order).flatMap((view) => {
    const part = (from: string, where: string) => ({
      order: view.order,
      from: `${from} cross join ${of} g(tag_id)`,
      where: `x.company_id = ${company}::int and x.tag_id = g.tag_id and x.status = s.status ${where}`,
    });
    return filter.users.length > 0
      ? [rangeOfUsers(values, actor, view, filter.users, part, "x")]
      : rangesOf(values, actor, view, part, "x");
  });
  const rows = parts.map(({ order, from, where }): Range => {
    const isWaiting = order === "waiting" ? "and x.status <> 'closed'" : ""; // names the partial index
    const hour = order === "waiting" ? "x.wait_rank" : "x.last_hour desc";
    return (limit) => `
      select ${rowColumns("b")} from ${from} cross join lateral (
        select ${rowColumns("k")} from ticket_tags x cross join lateral (
          select ${rowColumns("t")} from tickets t
          where t.company_id = ${company}::int and t.id = x.ticket_id ${rest} offset 0) k
        where ${where} ${isWaiting}
        ${limit === undefined ? "" : `order by ${hour} fetch first ${limit} rows with ties`}) b`;
  });
  const ids = parts.map(
    ({ from, where }): Range =>
      (limit) => `
      select b.id from ${from} cross join lateral (
        select x.ticket_id as id from ticket_tags x where ${where} limit ${limit}) b`,
  );
  const once =
    (part: Range): Range =>
    (limit) =>
      isOne ? part(limit) : `select distinct * from (${part(limit)}) several`;
  return { rows: once(union(rows)), ids: once(rest.trim() === "" ? union(ids) : union(rows)) };
}

function union(parts: readonly Range[]): Range {
  return (limit) =>
    parts.length === 0
      ? `select ${rowColumns("t")} from tickets t where false`
      : parts.map((part) => `(${part(limit)})`).join(" union all ");
}

/** A range of its own for each: none may come twice. */
const distinct = (ids: readonly number[]) => [...new Set(ids)];

type RangeOf<Part> = (from: string, where: string) => Part;

/** Literals, because the planner estimates a parameter of unknown length worse. */
const statusRows = ({ statuses }: ListView) => `unnest('{${statuses.join()}}'::text[]) s(status)`;

function rangeOfUsers<Part>(
  values: Values,
  actor: UserActor,
  view: ListView,
  userIds: readonly number[],
  range: RangeOf<Part>,
  alias = "t",
): Part {
  const users = `unnest(${values.add(distinct(userIds))}::int[]) o(user_id)`;
  const seen = visible(values, actor, view.scope, alias);
  return range(
    `${statusRows(view)} cross join ${users}`,
    `and ${alias}.user_id = o.user_id ${seen === undefined ? "" : `and ${seen}`}`,
  );
}

function rangesOf<Part>(values: Values, actor: UserActor, view: ListView, range: RangeOf<Part>, alias = "t"): Part[] {
  const { scope } = view;
  const statuses = statusRows(view);
  if (scope.kind === "all") {
    return [range(statuses, "")];
  }
  const queues = scope.queueIds.length > 0 ? values.add(distinct(scope.queueIds)) : undefined;
  const parts: Part[] = [];
  if (queues) {
    parts.push(
      range(`${statuses} cross join unnest(${queues}::int[]) o(queue_id)`, `and ${alias}.queue_id = o.queue_id`),
    );
  }
  if (scope.isQueueless) {
    parts.push(range(statuses, `and ${alias}.queue_id is null`));
  }
  if (scope.isOwn) {
    const notInQueues = queues ? `and (${alias}.queue_id is null or ${alias}.queue_id <> all(${queues}::int[]))` : "";
    const notQueueless = scope.isQueueless ? `and ${alias}.queue_id is not null` : "";
    parts.push(
      range(statuses, `and ${alias}.user_id = ${values.add(actor.userId)}::int ${notInQueues} ${notQueueless}`),
    );
  }
  return parts;
}

/** The scope as a condition, for sources that do not start from its index ranges. Undefined: no condition. */
function visible(values: Values, actor: UserActor, scope: ListScope, alias = "t"): string | undefined {
  if (scope.kind === "all") {
    return undefined;
  }
  const parts = [
    ...(scope.queueIds.length > 0 ? [`${alias}.queue_id = any(${values.add(scope.queueIds)}::int[])`] : []),
    ...(scope.isQueueless ? [`${alias}.queue_id is null`] : []),
    ...(scope.isOwn ? [`${alias}.user_id = ${values.add(actor.userId)}::int`] : []),
  ];
  return parts.length > 0 ? `(${parts.join(" or ")})` : "false";
}

function visibleInViews(values: Values, actor: UserActor, views: readonly ListView[]): string {
  const parts = views.map(({ statuses, scope }) => {
    const ofStatus = `t.status = any('{${statuses.join()}}'::text[])`;
    const seen = visible(values, actor, scope);
    return seen === undefined ? ofStatus : `${ofStatus} and ${seen}`;
  });
  return `and (${parts.join(" or ")})`;
}

type Filter = ListSelection["filter"];

function ofUsers(values: Values, filter: Filter): string {
  return filter.users.length > 0 ? `and t.user_id = any(${values.add(filter.users)}::int[])` : "";
}

/** Conditions without an index of their own; half-open days in the company's time zone. */
function otherFilters(values: Values, company: string, filter: Filter): string {
  const onDay = (column: string, day: string) => {
    const start = (plus: string) =>
      `((${day}::date ${plus})::timestamp at time zone (select time_zone from companies where id = ${company}::int))`;
    return `and ${column} >= ${start("")} and ${column} < ${start("+ 1")}`;
  };
  return [
    filter.date === "" ? "" : onDay("t.created_at", values.add(filter.date)),
    filter.updatedAt === "" ? "" : onDay("t.updated_at", values.add(filter.updatedAt)),
    filter.withUnreadMessages ? "and t.unread_messages > 0" : "",
  ].join(" ");
}

function hasTag(values: Values, { tags }: Filter): string {
  return tags.length === 0
    ? ""
    : `and exists (select from ticket_tags x where x.ticket_id = t.id and x.tag_id = any(${values.add(tags)}::int[]))`;
}

/** SQL of the ids of the company's lanes, as an array. */
export const lanesCte = (company: string) =>
  `lanes (ids) as materialized (
      select coalesce(array_agg(id), '{}') from tags where company_id = ${company}::int and kanban = 1),`;

/** Conditions as SQL, "" where there are none. */
interface LaneFilter {
  readonly ctes: string;
  readonly where: string;
  /** Of a lane that is a tag: the list begins at its tickets, or asks of each whether the tag is on it. */
  readonly tag?: { readonly id: number; readonly isOn: string };
}

function laneFilter(values: Values, company: string, laneId: number | undefined): LaneFilter {
  if (laneId === undefined) {
    return { ctes: "", where: "" };
  }
  // `offset 0`: asked of each ticket until the page is full, never joined, which would read the closed tickets of the tag.
  const has = (tagId: string) =>
    `exists (select from ticket_tags tl where tl.ticket_id = t.id and tl.tag_id = ${tagId} offset 0)`;
  const lanes = "any((select ids from lanes)::int[])";
  if (laneId === openLaneId) {
    return { ctes: lanesCte(company), where: `and not ${has(lanes)}` };
  }
  const lane = `${values.add(laneId)}::int`;
  return {
    ctes: lanesCte(company),
    where: `and ${lane} = ${lanes}`,
    tag: { id: laneId, isOn: `and ${has(lane)}` },
  };
}

/**
 * Limit of an index range for this offset: a page, and beyond the first one rounded up to a power of two. As a literal it lets
 * the planner see how short the range is, and rounding keeps the number of statements small.
 */
export function rangeLimit(offset: number): number {
  const rows = offset + pageSize.tickets + 1;
  return offset === 0 ? rows : 2 ** Math.ceil(Math.log2(rows));
}

/** Values of a statement; `add` returns the placeholder. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
