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
  /** The keys of the numbers of contacts that were merged into the one that goes. Not in the snapshots of the release before. */
  readonly aliases?: readonly string[];
}

const SNAPSHOT: Statement<{ snapshot: ContactsSnapshot }> = {
  name: "contacts_snapshot",
  text: `select jsonb_build_object(
      'kept', (select to_jsonb(c) from contacts c where company_id = $1 and id = $3),
      'gone', (select to_jsonb(c) from contacts c where company_id = $1 and id = $2),
      'identifiers', (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from contact_identifiers i
        where company_id = $1 and contact_id = $2),
      'aliases', (select coalesce(jsonb_agg(number_key), '[]') from contact_aliases
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
      update contact_identifiers set contact_id = $3, is_alias = is_alias or (kind = 'phone' and $4::text is not null)
      where company_id = $1 and contact_id = $2),
    inherited as (update contact_aliases set contact_id = $3 where company_id = $1 and contact_id = $2)
    insert into contact_aliases (company_id, number_key, contact_id) select $1, phone_key($4::text), $3 where $4::text is not null
    on conflict (company_id, number_key) do update set contact_id = excluded.contact_id`,
};

/**
 * Makes the addresses of the contact that goes lead to the one that stays. `alias`: its number, which leads there on every line, in
 * either spelling (decision 0075); null where it has none, or where the one that stays takes it.
 */
export async function reassignIdentifiers(
  ctx: Ctx,
  goneId: number,
  keptId: number,
  alias: string | null,
): Promise<void> {
  await ctx.raw(REASSIGN_IDENTIFIERS, [ctx.companyId, goneId, keptId, alias]);
}

/** Gives the number of the deleted contact to the one that stays and has none. `inheritDetails` has raised its version. */
export async function takeNumber(ctx: Ctx, id: number, number: string): Promise<void> {
  await ctx.db
    .updateTable("contacts")
    .set({ number })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Is one of these contacts blocked? A merge of them is. */
export async function isAnyBlocked(ctx: Ctx, ids: readonly number[]): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("contacts")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", ids)
    .where("is_blocked", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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
