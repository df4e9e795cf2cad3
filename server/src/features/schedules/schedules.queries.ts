import { pageSize, scheduleRules } from "@prosa/contract";
import type { HoldReason, Schedule } from "@prosa/contract";
import { sql } from "kysely";
import { connectionIdSql } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./schedules.tables.ts";

/**
 * The failure of what was sent from it; no row after a successful retry. A text with an audio file is two messages, because
 * audio carries no caption.
 */
const failures = sql<{ readonly reason: string }>`(select coalesce(m.fail_reason, 'unknown') as reason from messages m
  where m.company_id = s.company_id and m.client_id in (s.client_id, s.client_id || ':1') and m.ack = -1 limit 1)`;

const connectionId = sql<number | null>`${sql.raw(connectionIdSql("s"))}`;

function selectSchedules(ctx: Ctx) {
  return ctx.db
    .selectFrom("schedules as s")
    .innerJoin("contacts as c", "c.id", "s.contact_id")
    .leftJoin("users as u", "u.id", "s.user_id")
    .leftJoinLateral(failures.as<"f">(sql`f`), (join) => join.onTrue())
    .where("s.company_id", "=", ctx.companyId)
    .select([
      "s.id",
      "s.body",
      "s.contact_id as contactId",
      "c.name as contactName",
      sql<string>`coalesce(c.number, '')`.as("contactNumber"),
      "s.user_id as userId",
      "u.name as userName",
      connectionId.as("whatsappId"),
      "s.send_at as sendAt",
      "s.sent_at as sentAt",
      sql<Schedule["status"]>`case when s.error is not null or f.reason is not null then 'ERRO'
        when s.sent_at is not null then 'ENVIADA' else 'PENDENTE' end`.as("status"),
      "s.is_late as isLate",
      sql<string | null>`coalesce(s.error, f.reason)`.as("error"),
      "s.held_reason as heldReason",
      "s.held_until as heldUntil",
      "s.media_path as mediaPath",
      "s.media_name as mediaName",
      "s.media_type as mediaType",
    ]);
}

export interface ScheduleRow {
  readonly id: number;
  readonly body: string;
  readonly contactId: number;
  readonly contactName: string;
  readonly contactNumber: string;
  readonly userId: number | null;
  readonly userName: string | null;
  readonly whatsappId: number | null;
  readonly sendAt: Date;
  readonly sentAt: Date | null;
  readonly status: Schedule["status"];
  readonly isLate: boolean;
  readonly error: string | null;
  readonly heldReason: HoldReason | null;
  readonly heldUntil: Date | null;
  readonly mediaPath: string | null;
  readonly mediaName: string | null;
  /** The MIME type. */
  readonly mediaType: string | null;
}

export async function findSchedule(ctx: Ctx, id: number): Promise<ScheduleRow | undefined> {
  return selectSchedules(ctx).where("s.id", "=", id).executeTakeFirst();
}

export async function findSchedules(ctx: Ctx, ids: readonly number[]): Promise<ScheduleRow[]> {
  return selectSchedules(ctx).where("s.id", "in", ids).execute();
}

export interface ScheduleFilter {
  readonly searchParam: string;
  readonly pageNumber: number;
  readonly contactId?: number | undefined;
  /** First and last day in the company's time zone; "" is none. */
  readonly dateStart: string;
  readonly dateEnd: string;
  /** Only those of this author. */
  readonly userId: number | null;
}

/**
 * Pending ones first, the next one on top; then the sent ones, the latest on top. Those of a range of days are in the order
 * of their times, in larger pages: a calendar shows them all.
 */
export async function searchSchedules(
  ctx: Ctx,
  filter: ScheduleFilter,
): Promise<{ readonly rows: ScheduleRow[]; readonly count: number; readonly hasMore: boolean }> {
  const conditions = conditionsOf(ctx, filter);
  const isRange = filter.dateStart !== "" || filter.dateEnd !== "";
  const size = isRange ? scheduleRules.rangePage : pageSize.others;
  const found = selectSchedules(ctx).where((where) => where.and(conditions));
  const ordered = isRange
    ? found.orderBy("s.send_at").orderBy("s.id")
    : found
        .orderBy(sql`s.sent_at is not null`)
        .orderBy(sql`case when s.sent_at is null then s.send_at end`)
        .orderBy("s.sent_at", "desc")
        .orderBy("s.id");
  const [rows, { count }] = await Promise.all([
    ordered
      .limit(size)
      .offset((filter.pageNumber - 1) * size)
      .execute(),
    ctx.db
      .selectFrom("schedules as s")
      .innerJoin("contacts as c", "c.id", "s.contact_id")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("s.company_id", "=", ctx.companyId)
      .where((where) => where.and(conditions))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count, hasMore: filter.pageNumber * size < count };
}

/** Only what is asked for: a condition that holds for everything would keep the planner from the index. */
function conditionsOf(ctx: Ctx, { searchParam, contactId, dateStart, dateEnd, userId }: ScheduleFilter) {
  return [
    ...(searchParam === "" ? [] : [sql<boolean>`strpos(folded(s.body || ' ' || c.name), folded(${searchParam})) > 0`]),
    ...(contactId === undefined ? [] : [sql<boolean>`s.contact_id = ${contactId}::int`]),
    ...(userId === null ? [] : [sql<boolean>`s.user_id = ${userId}::int`]),
    ...(dateStart === "" ? [] : [sql<boolean>`s.send_at >= ${midnight(ctx, dateStart, 0)}`]),
    ...(dateEnd === "" ? [] : [sql<boolean>`s.send_at < ${midnight(ctx, dateEnd, 1)}`]),
  ];
}

/** The beginning of a day in the company's time zone, some days after it. */
function midnight(ctx: Ctx, day: string, daysAfter: number) {
  return sql<Date>`((${day}::date + ${daysAfter}::int)::timestamp at time zone
    (select time_zone from companies where id = ${ctx.companyId}))`;
}

export interface ScheduleFields {
  readonly contact_id: number;
  readonly connection_id: number | null;
  readonly body: string;
  readonly send_at: Date;
  readonly client_id: string;
}

/** The file of a schedule, in the storage; all null for none. */
export interface ScheduleFile {
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  /** Bytes. */
  readonly media_size: number | null;
}

export async function insertSchedule(
  ctx: Ctx,
  userId: number | null,
  fields: ScheduleFields & ScheduleFile & { readonly request_id: string | null },
): Promise<number | undefined> {
  const inserted = await ctx.db
    .insertInto("schedules")
    .values({ ...fields, user_id: userId, company_id: ctx.companyId })
    .onConflict((conflict) =>
      conflict.columns(["company_id", "request_id"]).where("request_id", "is not", null).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}

export const notHeld = { held_reason: null, held_until: null };

/** Saves a change and clears the error: it is pending again. A hold stays unless the change has `notHeld`. */
export async function saveSchedule(
  ctx: Ctx,
  id: number,
  fields: ScheduleFields & Partial<typeof notHeld>,
): Promise<void> {
  await ctx.db
    .updateTable("schedules")
    .set({ ...fields, error: null, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Saves the file. What waits for its time is sent with it; a failed one stays failed. */
export async function saveFile(ctx: Ctx, id: number, file: ScheduleFile): Promise<void> {
  await ctx.db
    .updateTable("schedules")
    .set({ ...file, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function deleteSchedule(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("schedules").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

/** Locks the row until the transaction ends, so that sending and changing it exclude each other. */
export async function lockSchedule(ctx: Ctx, id: number) {
  return ctx.db
    .selectFrom("schedules as s")
    .select(["id", "contact_id", "user_id", "body", "send_at", "sent_at", "error", "client_id"])
    .select(["held_reason", connectionId.as("connection_id")])
    .select(["media_path", "media_name", "media_type", "media_size"])
    .select((eb) =>
      eb
        .selectFrom("users")
        .select("users.name")
        .whereRef("users.company_id", "=", "s.company_id")
        .whereRef("users.id", "=", "s.user_id")
        .as("user_name"),
    )
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores the outcome of sending it. */
export async function saveOutcome(
  ctx: Ctx,
  id: number,
  result: { readonly sent_at: Date; readonly is_late: boolean } | { readonly error: string },
): Promise<void> {
  await ctx.db
    .updateTable("schedules")
    .set({ ...result, ...notHeld, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Saves why it waits and until when. It is pending still. */
export async function saveHold(ctx: Ctx, id: number, reason: HoldReason, until: Date): Promise<void> {
  await ctx.db
    .updateTable("schedules")
    .set({ held_reason: reason, held_until: until, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Ends the wait of those that are held for one of these reasons: they are due now. Returns them, the earliest first. */
export async function endHolds(ctx: Ctx, reasons: readonly HoldReason[]): Promise<{ id: number; client_id: string }[]> {
  const held = await ctx.db
    .updateTable("schedules")
    .set({ held_until: ctx.now(), company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("held_reason", "in", reasons)
    .where("sent_at", "is", null)
    .returning(["id", "client_id", "send_at"])
    .execute();
  return held.toSorted((a, b) => a.send_at.getTime() - b.send_at.getTime() || a.id - b.id);
}

/** How many of those before it a schedule waits for at the most: beyond, all ask again at the same time. */
const queueLimit = 500;

const COUNT_BEFORE: Statement<{ count: number }> = {
  name: "schedules_count_before",
  text: `select count(*)::int as count from (
      select from schedules s
      where s.company_id = $1 and s.send_at > $2::timestamptz - interval '1 day' and (s.send_at, s.id) < ($2, $3)
        and s.sent_at is null and s.error is null and (s.held_until is null or s.held_until <= $5)
        and case when s.connection_id is null then
            exists (select from tickets t where t.company_id = $1 and t.contact_id = s.contact_id and t.connection_id = $4)
            or not exists (select from tickets t where t.company_id = $1 and t.contact_id = s.contact_id)
          else s.connection_id = $4 end
      limit ${queueLimit}) before`,
};

/**
 * How many schedules that are due go before this one by the same line: of those that name none the ones whose contact it has written
 * with, or nobody has.
 */
export async function countBefore(
  ctx: Ctx,
  { id, send_at: sendAt }: { readonly id: number; readonly send_at: Date },
  connectionId: number,
): Promise<number> {
  const [row] = await ctx.raw(COUNT_BEFORE, [ctx.companyId, sendAt, id, connectionId, ctx.now()]);
  return row?.count ?? 0;
}

const CHECK_REFERENCES: Statement<{ hasContact: boolean; hasConnection: boolean }> = {
  name: "schedule_references",
  text: `select exists (select from contacts where company_id = $1 and id = $2::int) as "hasContact",
    ($3::int is null or exists (select from connections where company_id = $1 and id = $3::int)) as "hasConnection"`,
};

/** Do contact and connection belong to the company? */
export async function checkReferences(ctx: Ctx, contactId: number, connectionId: number | null) {
  const [exists] = await ctx.raw(CHECK_REFERENCES, [ctx.companyId, contactId, connectionId]);
  return exists!;
}
