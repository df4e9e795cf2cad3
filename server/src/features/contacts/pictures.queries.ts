import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Address } from "#server/whatsapp/port.ts";

/** Those of the contacts whose picture was not asked for since then; from now on it was. */
export async function claimPictures(ctx: Ctx, contactIds: readonly number[], before: Date): Promise<number[]> {
  const rows = await ctx.db
    .updateTable("contacts")
    .set({ picture_checked_at: ctx.now() })
    .where("company_id", "=", ctx.companyId)
    .where(sql<boolean>`id = any(${[...contactIds]}::int[])`)
    .where((of) => of.or([of("picture_checked_at", "is", null), of("picture_checked_at", "<", before)]))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The contact that a line knows under this address. */
export async function findByAddress(
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

/** Where a line reaches a contact, by LID where it is known, and the picture that is shown now. */
export async function findPictured(
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

/** False where the contact has this picture already, or is gone. */
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

const SHOWN: Statement<{ key: string }> = {
  name: "contacts_pictures_shown",
  text: `select distinct picture_path as key from contacts where company_id = $1 and picture_path = any($2::text[])`,
};

/** Both contacts of a merge may have had another picture than the one that is shown since. */
const REMEMBERED: Statement<{ key: string }> = {
  name: "contacts_pictures_remembered",
  text: `select distinct picture.key from contact_merges m, lateral (values
      (m.snapshot #>> '{contacts,kept,picture_path}'), (m.snapshot #>> '{contacts,gone,picture_path}')) as picture(key)
    where m.company_id = $1 and m.undone_at is null and picture.key = any($2::text[])`,
};

/** Which of these files are pictures of contacts, also of those merged away, as long as that can be taken back. */
export async function filesOfPictures(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const shown = (await ctx.raw(SHOWN, [ctx.companyId, keys])).map(({ key }) => key);
  const others = keys.filter((key) => !shown.includes(key));
  const remembered = others.length > 0 ? await ctx.raw(REMEMBERED, [ctx.companyId, others]) : [];
  return [...shown, ...remembered.map(({ key }) => key)];
}
