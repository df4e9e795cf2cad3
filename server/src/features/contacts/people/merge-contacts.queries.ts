import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement, SystemTx } from "#server/platform/db/index.ts";
import type {} from "./contact-merges.tables.ts";

/** Locks the rows in the order of their ids. */
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

/** The rows of both contacts before a merge: JSON of their tables. */
export interface ContactsSnapshot {
  readonly kept: Readonly<Record<string, unknown>>;
  readonly gone: Readonly<Record<string, unknown>>;
  readonly identifiers: readonly Readonly<Record<string, unknown>>[];
}

const SNAPSHOT: Statement<{ snapshot: ContactsSnapshot }> = {
  name: "contacts_snapshot",
  text: `select jsonb_build_object(
      'kept', (select to_jsonb(c) from contacts c where company_id = $1 and id = $3),
      'gone', (select to_jsonb(c) from contacts c where company_id = $1 and id = $2),
      'identifiers', (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from contact_identifiers i
        where company_id = $1 and contact_id = $2)) as snapshot`,
};

export async function snapshotContacts(ctx: Ctx, goneId: number, keptId: number): Promise<ContactsSnapshot> {
  const [row] = await ctx.raw(SNAPSHOT, [ctx.companyId, goneId, keptId]);
  if (!row) {
    throw new Error("contacts_snapshot returned no row");
  }
  return row.snapshot;
}

const REASSIGN_IDENTIFIERS: Statement<never> = {
  name: "contacts_reassign_identifiers",
  text: `with moved as (
      update contact_identifiers set contact_id = $3, is_alias = is_alias or kind = 'phone'
      where company_id = $1 and contact_id = $2)
    insert into contact_identifiers (company_id, connection_id, kind, value, contact_id, is_alias)
    select $1, id, 'phone', $4::text, $3, true from connections where company_id = $1 and $4::text is not null
    on conflict (connection_id, kind, value) do update set contact_id = excluded.contact_id, is_alias = true`,
};

/** Makes the number and LIDs of the contact that goes lead to the one that stays, on every line. */
export async function reassignIdentifiers(
  ctx: Ctx,
  goneId: number,
  keptId: number,
  number: string | null,
): Promise<void> {
  await ctx.raw(REASSIGN_IDENTIFIERS, [ctx.companyId, goneId, keptId, number]);
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

/** Deletes merges that can no longer be undone, of all companies. */
export async function deleteOldMerges(tx: SystemTx, before: Date): Promise<void> {
  await tx.db.deleteFrom("contact_merges").where("merged_at", "<", before).execute();
}
