import { pageSize } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./schedules.tables.ts";

/** The failure of the message that was sent from it; empty after a successful retry. */
const failure = sql`(select coalesce(m.fail_reason, 'unknown') from messages m
  where m.company_id = s.company_id and m.client_id = s.client_id and m.ack = -1)`;

function selectSchedules(ctx: Ctx) {
  return ctx.db
    .selectFrom("schedules as s")
    .innerJoin("contacts as c", "c.id", "s.contact_id")
    .leftJoin("users as u", "u.id", "s.user_id")
    .where("s.company_id", "=", ctx.companyId)
    .select([
      "s.id",
      "s.body",
      "s.contact_id as contactId",
      "c.name as contactName",
      sql<string>`coalesce(c.number, '')`.as("contactNumber"),
      "s.user_id as userId",
      "u.name as userName",
      "s.connection_id as whatsappId",
      "s.send_at as sendAt",
      "s.sent_at as sentAt",
      sql<Schedule["status"]>`case when s.error is not null or ${failure} is not null then 'ERRO'
        when s.sent_at is not null then 'ENVIADA' else 'PENDENTE' end`.as("status"),
      "s.is_late as isLate",
      sql<string | null>`coalesce(s.error, ${failure})`.as("error"),
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
}

export async function findSchedule(ctx: Ctx, id: number): Promise<ScheduleRow | undefined> {
  return selectSchedules(ctx).where("s.id", "=", id).executeTakeFirst();
}

export async function findSchedules(ctx: Ctx, ids: readonly number[]): Promise<ScheduleRow[]> {
  return selectSchedules(ctx).where("s.id", "in", ids).execute();
}

/** Pending ones first, the next one on top; then the sent ones, the latest on top. */
export async function searchSchedules(
  ctx: Ctx,
  query: {
    readonly searchParam: string;
    readonly pageNumber: number;
    readonly contactId?: number | undefined;
    /** Only those of this author. */
    readonly userId: number | null;
  },
): Promise<{ readonly rows: ScheduleRow[]; readonly count: number }> {
  const { searchParam, pageNumber, contactId, userId } = query;
  const match = sql<boolean>`(${searchParam} = '' or strpos(folded(s.body || ' ' || c.name), folded(${searchParam})) > 0)
    and (${contactId ?? null}::int is null or s.contact_id = ${contactId ?? null}::int)
    and (${userId}::int is null or s.user_id = ${userId}::int)`;
  const [rows, { count }] = await Promise.all([
    selectSchedules(ctx)
      .where(match)
      .orderBy(sql`s.sent_at is not null`)
      .orderBy(sql`case when s.sent_at is null then s.send_at end`)
      .orderBy("s.sent_at", "desc")
      .orderBy("s.id")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    ctx.db
      .selectFrom("schedules as s")
      .innerJoin("contacts as c", "c.id", "s.contact_id")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("s.company_id", "=", ctx.companyId)
      .where(match)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export interface ScheduleFields {
  readonly contact_id: number;
  readonly connection_id: number | null;
  readonly body: string;
  readonly send_at: Date;
  readonly client_id: string;
}

export async function insertSchedule(ctx: Ctx, userId: number | null, fields: ScheduleFields): Promise<number> {
  const { id } = await ctx.db
    .insertInto("schedules")
    .values({ ...fields, user_id: userId, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Saves a change and clears the error: it is pending again. */
export async function saveSchedule(ctx: Ctx, id: number, fields: ScheduleFields): Promise<void> {
  await ctx.db
    .updateTable("schedules")
    .set({ ...fields, error: null, company_id: ctx.companyId })
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
    .selectFrom("schedules")
    .select(["id", "contact_id", "connection_id", "user_id", "body", "send_at", "sent_at", "client_id"])
    .select((eb) =>
      eb
        .selectFrom("users")
        .select("users.name")
        .whereRef("users.company_id", "=", "schedules.company_id")
        .whereRef("users.id", "=", "schedules.user_id")
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
    .set({ ...result, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
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

const SNAPSHOT: Statement<{ id: number }> = {
  name: "schedules_snapshot",
  text: `select id from schedules where company_id = $1 and contact_id = $2 order by id`,
};

/** The ids of a contact's schedules, to move them and to move them back. */
export async function snapshotSchedules(ctx: Ctx, contactId: number): Promise<number[]> {
  return (await ctx.raw(SNAPSHOT, [ctx.companyId, contactId])).map(({ id }) => id);
}

const MOVE: Statement<never> = {
  name: "schedules_move",
  text: `update schedules set contact_id = $3 where company_id = $1 and id = any($2::int[])`,
};

/** Moves schedules to another contact. */
export async function moveSchedules(ctx: Ctx, ids: readonly number[], contactId: number): Promise<void> {
  await ctx.raw(MOVE, [ctx.companyId, ids, contactId]);
}
