import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type {} from "./privacy.tables.ts";

export interface ErasureRow {
  readonly id: number;
  readonly contact_id: number;
  readonly user_name: string | null;
  readonly requested_at: Date;
  readonly state: "waiting" | "running" | "finished";
  readonly erased: number;
  readonly finished_at: Date | null;
}

const erasuresOf = ({
  companyId,
}: Ctx) => sql`select e.id, e.contact_id, u.name as user_name, e.requested_at, e.state, e.erased,
    e.finished_at
  from contact_erasures e left join users u on u.company_id = e.company_id and u.id = e.user_id
  where e.company_id = ${companyId}`;

export async function findErasures(ctx: Ctx, pageNumber: number): Promise<{ rows: ErasureRow[]; count: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<ErasureRow>`${erasuresOf(ctx)} order by e.id desc
      limit ${pageSize.others} offset ${(pageNumber - 1) * pageSize.others}`.execute(ctx.db),
    sql<{
      count: number;
    }>`select count(*)::int as count from contact_erasures where company_id = ${ctx.companyId}`.execute(ctx.db),
  ]);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

/**
 * The erasure of this contact that has not ended, with who asked for it. One that a restore asked for again is of nobody until its
 * person was looked for: its `contact_id` may be somebody else's by now.
 */
export async function findOpenErasure(ctx: Ctx, contactId: number): Promise<ErasureRow | undefined> {
  const { rows } = await sql<ErasureRow>`${erasuresOf(ctx)} and e.contact_id = ${contactId} and e.state <> 'finished'
      and e.subject is not null`.execute(ctx.db);
  return rows[0];
}

export async function insertErasure(
  ctx: Ctx,
  erasure: {
    readonly contactId: number;
    readonly userId: number | null;
    readonly marks: readonly string[];
    readonly requestedAt: Date;
  },
): Promise<number> {
  const row = await ctx.db
    .insertInto("contact_erasures")
    .values({
      company_id: ctx.companyId,
      contact_id: erasure.contactId,
      user_id: erasure.userId,
      requested_at: erasure.requestedAt,
      marks: [...erasure.marks],
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function sealErasure(ctx: Ctx, id: number, contactId: number, subject: Buffer): Promise<void> {
  await ctx.db
    .updateTable("contact_erasures")
    .set({ subject, contact_id: contactId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Is one of these contacts being erased? */
export async function isAnyBeingErased(ctx: Ctx, contactIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select from contact_erasures where company_id = ${ctx.companyId}
      and contact_id = any(${contactIds}::int[]) and subject is not null limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** What is erased of contact `from` lies at `to` by now. One that `to` has already erases it as well. */
export async function moveErasure(ctx: Ctx, from: number, to: number): Promise<void> {
  await sql`update contact_erasures e set contact_id = ${to}
    where company_id = ${ctx.companyId} and contact_id = ${from} and subject is not null and not exists (
      select from contact_erasures o where o.company_id = e.company_id and o.contact_id = ${to} and o.subject is not null)`.execute(
    ctx.db,
  );
}

export async function addMarks(ctx: Ctx, id: number, marks: readonly string[]): Promise<void> {
  await sql`update contact_erasures set marks = array(select distinct unnest(marks || ${marks}::text[]))
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.db);
}

interface OpenErasure {
  readonly id: number;
  /** Where the person lies; another than in the subject after a merge. */
  readonly contact_id: number;
  readonly subject: Buffer | null;
  readonly step: string;
  readonly state: "waiting" | "running" | "finished";
  readonly erased: number;
}

export async function findErasure(ctx: Ctx, id: number): Promise<OpenErasure | undefined> {
  return ctx.db
    .selectFrom("contact_erasures")
    .select(["id", "contact_id", "subject", "step", "state", "erased"])
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export interface RestoredErasure {
  readonly id: number;
  /** Of the database before the restore. */
  readonly contact_id: number;
  readonly requested_at: Date;
  readonly marks: readonly string[];
}

/** The erasures that a restore asked for again, and whose people were not looked for yet; of one id it is locked. */
export async function findRestored(ctx: Ctx, id?: number): Promise<RestoredErasure[]> {
  const { rows } = await sql<RestoredErasure>`select id, contact_id, requested_at, marks from contact_erasures
    where company_id = ${ctx.companyId} and subject is null and state <> 'finished'
      ${id === undefined ? sql`order by id` : sql`and id = ${id} for update`}`.execute(ctx.db);
  return rows;
}

/** Notes how far an erasure is. */
export async function saveProgress(ctx: Ctx, id: number, step: string, rows: number): Promise<void> {
  await sql`update contact_erasures set state = 'running', step = ${step}, erased = erased + ${rows}
    where company_id = ${ctx.companyId} and id = ${id} and state <> 'finished'`.execute(ctx.db);
}

/** Ends the erasure of this contact, whose subject nobody can read any more. False where another run has ended it, or it has moved. */
export async function finishErasure(ctx: Ctx, id: number, contactId: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update contact_erasures set state = 'finished', step = '', subject = null,
      finished_at = ${ctx.now()}
    where company_id = ${ctx.companyId} and id = ${id} and contact_id = ${contactId} and state <> 'finished'`.execute(
    ctx.db,
  );
  return numAffectedRows > 0n;
}

/** When the people of these marks were erased, by mark. */
export async function findErasedAt(ctx: Ctx, marks: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ mark: string; at: Date }>`select m.mark, max(e.requested_at) as at
    from contact_erasures e, unnest(e.marks) m (mark)
    where e.company_id = ${ctx.companyId} and e.marks && ${marks}::text[] and m.mark = any(${marks}::text[])
    group by m.mark`.execute(ctx.db);
  return new Map(rows.map(({ mark, at }) => [mark, at]));
}

/** Erasures of all companies that were asked for before `time` and have not ended. */
export async function findUnfinished(db: Db, time: Date): Promise<{ id: number; companyId: number }[]> {
  const { rows } = await sql<{ id: number; companyId: number }>`select id, company_id as "companyId"
    from contact_erasures where state <> 'finished' and requested_at < ${time} order by id limit 1000`.execute(
    db.system,
  );
  return rows;
}
