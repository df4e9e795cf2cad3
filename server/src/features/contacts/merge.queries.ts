import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement, SystemTx } from "#server/platform/db/index.ts";
import type {} from "./imports.tables.ts";

/** Both rows, locked in the order of their ids. */
export async function lockContacts(
  ctx: Ctx,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly number: string | null; readonly is_group: boolean }[]> {
  return ctx.db
    .selectFrom("contacts")
    .select(["id", "number", "is_group"])
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** A contact's own rows before a merge: JSON of the table. */
export interface ContactMemory {
  readonly kept: Readonly<Record<string, unknown>>;
  readonly gone: Readonly<Record<string, unknown>>;
  readonly identifiers: readonly Readonly<Record<string, unknown>>[];
}

const REMEMBER: Statement<{ memory: ContactMemory }> = {
  name: "contacts_remember",
  text: `select jsonb_build_object(
      'kept', (select to_jsonb(c) from contacts c where company_id = $1 and id = $3),
      'gone', (select to_jsonb(c) from contacts c where company_id = $1 and id = $2),
      'identifiers', (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from contact_identifiers i
        where company_id = $1 and contact_id = $2)) as memory`,
};

export async function rememberContacts(ctx: Ctx, goneId: number, keptId: number): Promise<ContactMemory> {
  const [row] = await ctx.raw(REMEMBER, [ctx.companyId, goneId, keptId]);
  if (!row) {
    throw new Error("A row of subselects is always there");
  }
  return row.memory;
}

const LEAVE_ALIASES: Statement<never> = {
  name: "contacts_leave_aliases",
  text: `with moved as (
      update contact_identifiers set contact_id = $3, is_alias = is_alias or kind = 'phone'
      where company_id = $1 and contact_id = $2)
    insert into contact_identifiers (company_id, connection_id, kind, value, contact_id, is_alias)
    select $1, id, 'phone', $4::text, $3, true from connections where company_id = $1 and $4::text is not null
    on conflict (connection_id, kind, value) do update set contact_id = excluded.contact_id, is_alias = true`,
};

/** Whoever writes from the number of the one that goes is the one that stays, on every line. */
export async function leaveAliases(ctx: Ctx, goneId: number, keptId: number, number: string | null): Promise<void> {
  await ctx.raw(LEAVE_ALIASES, [ctx.companyId, goneId, keptId, number]);
}

export async function insertMerge(
  ctx: Ctx,
  merge: {
    readonly keptId: number;
    readonly goneId: number;
    readonly userId: number | null;
    readonly snapshot: string;
  },
): Promise<{ readonly id: number; readonly mergedAt: Date }> {
  const { id } = await ctx.db
    .insertInto("contact_merges")
    .values({
      company_id: ctx.companyId,
      user_id: merge.userId,
      kept_id: merge.keptId,
      gone_id: merge.goneId,
      snapshot: merge.snapshot,
      merged_at: ctx.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, mergedAt: ctx.now() };
}

export async function lockMerge(ctx: Ctx, id: number) {
  return ctx.db
    .selectFrom("contact_merges")
    .select(["id", "kept_id", "gone_id", "snapshot", "merged_at", "undone_at"])
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** Did the kept contact take in another one since, or go into one? */
export async function hasLaterMerge(ctx: Ctx, { id, keptId }: { readonly id: number; readonly keptId: number }) {
  const later = await ctx.db
    .selectFrom("contact_merges")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", ">", id)
    .where("undone_at", "is", null)
    .where((of) => of.or([of("kept_id", "=", keptId), of("gone_id", "=", keptId)]))
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

/** Its number is taken back from the one that stayed, unless somebody else has it by now. */
export async function restoreContacts(ctx: Ctx, { kept, gone, identifiers }: ContactMemory): Promise<void> {
  const columns = sql.raw(
    "id, company_id, name, number, email, is_group, is_blocked, picture_path, picture_checked_at, extra_info, is_named, opted_out_at, version, created_at, updated_at",
  );
  await sql`insert into contacts (${columns}) overriding system value
    select ${columns} from jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb)
    where company_id = ${ctx.companyId}`.execute(ctx.db);
  // inherited details go, where nobody has written others since (a merge is one step of the version)
  await sql`update contacts k set name = was.name, is_named = was.is_named, email = was.email,
      is_blocked = was.is_blocked, opted_out_at = was.opted_out_at, picture_path = was.picture_path,
      extra_info = was.extra_info, version = k.version + 1, updated_at = ${ctx.now()}
    from jsonb_populate_record(null::contacts, ${JSON.stringify(kept)}::jsonb) was
    where k.company_id = ${ctx.companyId} and k.id = was.id and k.version = was.version + 1`.execute(ctx.db);
  await sql`delete from contact_identifiers i using jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb) was
    where i.company_id = ${ctx.companyId} and i.contact_id = ${Number(kept["id"])} and i.is_alias
      and i.value = was.number`.execute(ctx.db);
  await sql`insert into contact_identifiers (company_id, connection_id, kind, value, contact_id, is_alias)
    select company_id, connection_id, kind, value, contact_id, is_alias
    from jsonb_populate_recordset(null::contact_identifiers, ${JSON.stringify(identifiers)}::jsonb)
    where company_id = ${ctx.companyId}
    on conflict (connection_id, kind, value) do update set contact_id = excluded.contact_id,
      is_alias = excluded.is_alias`.execute(ctx.db);
}

export async function markUndone(ctx: Ctx, id: number): Promise<void> {
  await ctx.db
    .updateTable("contact_merges")
    .set({ undone_at: ctx.now(), snapshot: "{}" })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** What can no longer be taken back is not kept. */
export async function deleteOldMerges(tx: SystemTx, before: Date): Promise<void> {
  await tx.db.deleteFrom("contact_merges").where("merged_at", "<", before).execute();
}
