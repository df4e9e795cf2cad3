import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "./contact-merges.tables.ts";
import type { ContactsSnapshot } from "./merge-contacts.queries.ts";

export async function lockMerge(ctx: Ctx, id: number) {
  return ctx.db
    .selectFrom("contact_merges")
    .select(["id", "kept_id", "gone_id", "snapshot", "merged_at", "undone_at"])
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether the kept contact was part of another merge since, on either side, that is not undone. */
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

/** Inserts the merged contact again and takes its identifiers back. Violates a constraint if its number has a new owner. */
export async function restoreContacts(
  ctx: Ctx,
  { kept, gone, identifiers, aliases = [] }: ContactsSnapshot,
): Promise<void> {
  const columns = sql.raw(
    "id, company_id, name, number, email, is_group, is_blocked, picture_path, picture_checked_at, extra_info, is_named, opted_out_at, version, created_at, updated_at",
  );
  // First the number that the kept contact took because it had none, else the inserted one has it twice.
  await sql`update contacts k set number = null from jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb) g,
      jsonb_populate_record(null::contacts, ${JSON.stringify(kept)}::jsonb) was
    where k.company_id = ${ctx.companyId} and k.id = was.id and was.number is null
      and phone_key(k.number) = phone_key(g.number)`.execute(ctx.db);
  await sql`insert into contacts (${columns}) overriding system value
    select ${columns} from jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb)
    where company_id = ${ctx.companyId}`.execute(ctx.db);
  // Take inherited details back, unless the contact was changed since: the merge itself raised its version by one.
  await sql`update contacts k set name = was.name, is_named = was.is_named, email = was.email,
      is_blocked = was.is_blocked, opted_out_at = was.opted_out_at, picture_path = was.picture_path,
      extra_info = was.extra_info, version = k.version + 1, updated_at = ${ctx.now()}
    from jsonb_populate_record(null::contacts, ${JSON.stringify(kept)}::jsonb) was
    where k.company_id = ${ctx.companyId} and k.id = was.id and k.version = was.version + 1`.execute(ctx.db);
  await sql`delete from contact_identifiers i using jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb) was
    where i.company_id = ${ctx.companyId} and i.contact_id = ${Number(kept["id"])} and i.kind = 'phone'
      and phone_key(i.value) = phone_key(was.number)`.execute(ctx.db);
  await sql`delete from contact_aliases m using jsonb_populate_record(null::contacts, ${JSON.stringify(gone)}::jsonb) was
    where m.company_id = ${ctx.companyId} and m.number_key = phone_key(was.number)`.execute(ctx.db);
  await sql`update contact_aliases set contact_id = ${Number(gone["id"])}
    where company_id = ${ctx.companyId} and number_key = any(${[...aliases]}::text[])`.execute(ctx.db);
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
