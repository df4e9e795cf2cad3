import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Address } from "#server/whatsapp/port.ts";

const CLAIM_STALE: Statement<{ id: number }> = {
  name: "contacts_claim_stale_pictures",
  text: `update contacts set picture_checked_at = $3
    where company_id = $1 and id = any($2::int[]) and (picture_checked_at is null or picture_checked_at < $4)
    returning id`,
};

/**
 * Claims the contacts whose picture was last fetched before this time; marks them as fetched now. Named, not Kysely's: in the
 * transaction of a first message, the statements after it keep their plans.
 */
export async function claimStalePictures(ctx: Ctx, contactIds: readonly number[], before: Date): Promise<number[]> {
  const rows = await ctx.raw(CLAIM_STALE, [ctx.companyId, contactIds, ctx.now(), before]);
  return rows.map(({ id }) => id);
}

/** The contact that has this address on the connection. */
export async function findContactByAddress(
  ctx: Ctx,
  connectionId: number,
  { kind, value }: Address,
): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("contact_identifiers")
    .select("contact_id")
    .where("company_id", "=", ctx.companyId)
    .where("connection_id", "=", connectionId)
    .where("kind", "=", kind)
    .where("value", "=", value)
    .executeTakeFirst();
  return row?.contact_id;
}

/** The address of a contact on a connection, preferably its LID, and the key of its stored picture. */
export async function findPictureTarget(
  ctx: Ctx,
  connectionId: number,
  contactId: number,
): Promise<{ readonly address: Address; readonly path: string | null } | undefined> {
  const row = await ctx.db
    .selectFrom("contact_identifiers as i")
    .innerJoin("contacts as c", "c.id", "i.contact_id")
    .select(["i.kind", "i.value", "c.picture_path"])
    .where("i.company_id", "=", ctx.companyId)
    .where("i.connection_id", "=", connectionId)
    .where("i.contact_id", "=", contactId)
    .where("i.is_alias", "=", false)
    .orderBy((of) => of("i.kind", "=", "lid"), "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { address: { kind: row.kind, value: row.value }, path: row.picture_path };
}

/** False if the contact has this picture already, or was deleted. */
export async function savePicture(ctx: Ctx, contactId: number, path: string | null): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("contacts")
    .set((of) => ({ picture_path: path, version: of("version", "+", 1), updated_at: ctx.now() }))
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", contactId)
    .where("picture_path", "is distinct from", path)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const CURRENT: Statement<{ key: string }> = {
  name: "contacts_pictures_current",
  text: `select distinct picture_path as key from contacts where company_id = $1 and picture_path = any($2::text[])`,
};

/** Pictures in the snapshots of merges: an undo restores them. */
const IN_SNAPSHOTS: Statement<{ key: string }> = {
  name: "contacts_pictures_in_snapshots",
  text: `select distinct picture.key from contact_merges m, lateral (values
      (m.snapshot #>> '{contacts,kept,picture_path}'), (m.snapshot #>> '{contacts,gone,picture_path}')) as picture(key)
    where m.company_id = $1 and m.undone_at is null and picture.key = any($2::text[])`,
};

/** The storage keys among these that contacts refer to, or snapshots of merges that can still be undone. */
export async function findReferencedPictures(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const current = (await ctx.raw(CURRENT, [ctx.companyId, keys])).map(({ key }) => key);
  const others = keys.filter((key) => !current.includes(key));
  const inSnapshots = others.length > 0 ? await ctx.raw(IN_SNAPSHOTS, [ctx.companyId, others]) : [];
  return [...current, ...inSnapshots.map(({ key }) => key)];
}
