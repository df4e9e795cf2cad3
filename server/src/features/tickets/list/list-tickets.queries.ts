import { pageSize, ticketStatuses } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { searchSql } from "../search/index.ts";
import { ticketVersion } from "../tickets.view.queries.ts";
import type { ListScope } from "./list-scope.ts";

/** Counts stop here: an exact count of a long list costs more than the list, and a badge shows "999+" (decision 0051). */
export const countCap = 1_000;

export interface ListQuery<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

export interface PageRow {
  /** `ticketVersion` of each row of the page, separated by commas. */
  readonly versions: string;
  /** JSON text: the messages that matched the search; null without a search. */
  readonly found: string | null;
  /** Null where another statement counts: see `isCountCacheable`. */
  readonly count: number | null;
  readonly hasMore: boolean;
}

/**
 * The statement of a page of tickets: first the ids, from index ranges that each stop after a page; then the versions of the
 * forty rows of the page, whose views are mostly cached (`readCachedViews`).
 */
export function listQuery(actor: UserActor, scope: ListScope, filter: TicketFilter): ListQuery<PageRow> {
  const values = new Values();
  const offset = (filter.pageNumber - 1) * pageSize.tickets;
  const source = sourceOf(values, actor, scope, filter);
  const skip = values.add(offset);
  const shown = `(select * from page order by last_message_at desc, id desc limit ${pageSize.tickets})`;

  const text = `
    with ${source.found ?? ""} page as materialized (
      select id, last_message_at from (${source.limited(rangeLimit(offset))}) b
      order by last_message_at desc, id desc limit ${pageSize.tickets + 1} offset ${skip}::int)
    select
      coalesce((
        select string_agg(${ticketVersion}, ',' order by p.last_message_at desc, p.id desc)
        from ${shown} p join tickets t on t.id = p.id join contacts c on c.id = t.contact_id), '') as versions,
      ${source.match ? `coalesce((select json_agg(${source.match}) from ${shown} p join found f on f.id = p.id join messages fm on fm.id = f.message_id), '[]')::text` : "null"} as found,
      ${isCountCacheable(filter) ? "null::int" : countOf(source)} as count,
      (select count(*) > ${pageSize.tickets} from page) as "hasMore"`;
  return { statement: { name: nameOf("tickets_list", text), text }, values: values.list };
}

/** Does the count depend only on status, queue and owner, so that it can be cached until a ticket moves? */
export function isCountCacheable(filter: TicketFilter): boolean {
  const { searchParam, tags, users, date, updatedAt, withUnreadMessages } = filter;
  return (
    searchParam === "" && tags.length + users.length === 0 && date === "" && updatedAt === "" && !withUnreadMessages
  );
}

/** The statement that counts the tickets of a list, up to `countCap`. */
export function countQuery(actor: UserActor, scope: ListScope, filter: TicketFilter): ListQuery<{ count: number }> {
  const values = new Values();
  const text = `select ${countOf(sourceOf(values, actor, scope, filter))} as count`;
  return { statement: { name: nameOf("tickets_count", text), text }, values: values.list };
}

const countOf = ({ limited }: Source) =>
  `(select count(*)::int from (select from (${limited(countCap)}) b limit ${countCap}) counted)`;

/** SQL that yields the ids of a list. */
interface Source {
  /** Common table expressions that the branches use. */
  readonly found?: string;
  /** SQL of the JSON of the message that matched. */
  readonly match?: string;
  /** The union of the index ranges, each limited to `limit` rows. */
  limited(limit: number): string;
}

function sourceOf(values: Values, actor: UserActor, scope: ListScope, filter: TicketFilter): Source {
  const company = values.add(actor.companyId);
  // Literals, because the planner estimates a parameter of unknown length worse.
  const statuses = `unnest('{${filter.status === "" ? ticketStatuses.join() : filter.status}}'::text[]) s(status)`;
  const rest = otherFilters(values, company, filter);

  // One range of the index tickets_list, tickets_of_queue or tickets_of_user for each combination of the outer rows.
  const range = (from: string, where: string) => (limit: number) => `
      select b.id, b.last_message_at from ${from} cross join lateral (
        select t.id, t.last_message_at from tickets t
        where t.company_id = ${company}::int and t.status = s.status ${where} ${rest}
        order by t.last_message_at desc, t.id desc limit ${limit}) b`;
  const union = (parts: readonly ((limit: number) => string)[]): Source => ({
    limited: (limit) =>
      parts.length === 0
        ? "select id, last_message_at from tickets where false"
        : parts.map((part) => `(${part(limit)})`).join(" union all "),
  });

  if (filter.searchParam !== "" || filter.tags.length > 0) {
    const where = [visible(values, actor, scope), ofUsers(values, filter)].join(" ");
    const among = (ids: string, also: string) => (limit: number) => `
        select t.id, t.last_message_at from ${ids} f join tickets t on t.id = f.id join ${statuses} on s.status = t.status
        where t.company_id = ${company}::int ${where} ${rest} ${also}
        order by t.last_message_at desc, t.id desc limit ${limit}`;
    if (filter.searchParam === "") {
      return { found: taggedOf(values, filter), limited: among("tagged", "") };
    }
    const newest = sourceOf(values, actor, scope, { ...filter, searchParam: "" });
    const search = searchSql(values, filter, (limit) => newest.limited(limit));
    const tagged = newest.found ? "and t.id in (select id from tagged)" : "";
    return { found: `${newest.found ?? ""} ${search.ctes}`, match: search.json, limited: among("found", tagged) };
  }
  if (filter.users.length > 0) {
    const users = `unnest(${values.add(filter.users)}::int[]) o(user_id)`;
    return union([
      range(`${statuses} cross join ${users}`, `and t.user_id = o.user_id ${visible(values, actor, scope)}`),
    ]);
  }
  if (scope.kind === "all") {
    return union([range(statuses, "")]);
  }

  const queues = scope.queueIds.length > 0 ? values.add(scope.queueIds) : undefined;
  const parts = [];
  if (queues) {
    parts.push(range(`${statuses} cross join unnest(${queues}::int[]) o(queue_id)`, "and t.queue_id = o.queue_id"));
  }
  if (scope.isQueueless) {
    parts.push(range(statuses, "and t.queue_id is null"));
  }
  if (scope.isOwn) {
    const notInQueues = queues ? `and (t.queue_id is null or t.queue_id <> all(${queues}::int[]))` : "";
    const notQueueless = scope.isQueueless ? "and t.queue_id is not null" : "";
    parts.push(range(statuses, `and t.user_id = ${values.add(actor.userId)}::int ${notInQueues} ${notQueueless}`));
  }
  return union(parts);
}

/** The scope as a condition, for sources that do not start from its index ranges. */
function visible(values: Values, actor: UserActor, scope: ListScope): string {
  if (scope.kind === "all") {
    return "";
  }
  const parts = [
    ...(scope.queueIds.length > 0 ? [`t.queue_id = any(${values.add(scope.queueIds)}::int[])`] : []),
    ...(scope.isQueueless ? ["t.queue_id is null"] : []),
    ...(scope.isOwn ? [`t.user_id = ${values.add(actor.userId)}::int`] : []),
  ];
  return parts.length > 0 ? `and (${parts.join(" or ")})` : "and false";
}

function ofUsers(values: Values, filter: TicketFilter): string {
  return filter.users.length > 0 ? `and t.user_id = any(${values.add(filter.users)}::int[])` : "";
}

/** Conditions without an index of their own; half-open days in the company's time zone. */
function otherFilters(values: Values, company: string, filter: TicketFilter): string {
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

/** Tickets by tag, read first: a rare tag must not scan the whole list. */
function taggedOf(values: Values, filter: TicketFilter): string {
  const tags = values.add(filter.tags);
  return `tagged (id) as materialized (select distinct ticket_id from ticket_tags where tag_id = any(${tags}::int[])),`;
}

/**
 * Limit of an index range for this offset, rounded up to a power of two: as a literal it lets the planner see how short the
 * range is, and rounding keeps the number of statements small.
 */
function rangeLimit(offset: number): number {
  return 2 ** Math.ceil(Math.log2(offset + pageSize.tickets + 1));
}

/** Names prepared statements by their text, so that each shape has a plan of its own. */
function nameOf(prefix: string, text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `${prefix}_${names.size}`;
    names.set(text, name);
  }
  return name;
}

const names = new Map<string, string>();

/** Values of a statement; `add` returns the placeholder. */
class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
