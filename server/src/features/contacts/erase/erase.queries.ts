import { matchNumber } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";

interface SubjectRow {
  readonly name: string;
  readonly number: string | null;
  readonly isGroup: boolean;
}

/** The contact, locked, and how rows refer to the person; undefined where it is gone. */
export async function findDataSubject(
  ctx: Ctx,
  contactId: number,
): Promise<{ readonly contact: SubjectRow; readonly subject: DataSubject } | undefined> {
  const { rows } = await sql<
    SubjectRow & { number_key: string | null; email: string; phones: string[]; lids: string[] }
  >`
    select name, number, number_key, email, is_group as "isGroup",
      array(select value from contact_identifiers i where i.contact_id = c.id and kind = 'phone') as phones,
      array(select value from contact_identifiers i where i.contact_id = c.id and kind = 'lid') as lids
    from contacts c where company_id = ${ctx.companyId} and id = ${contactId} for update`.execute(ctx.db);
  const [row] = rows;
  if (!row) {
    return undefined;
  }
  const { name, number, isGroup, number_key: key, email, phones, lids } = row;
  const numbers = isGroup ? [] : [number, key, ...phones].flatMap((each) => (each ? [each, matchNumber(each)] : []));
  return {
    contact: { name, number, isGroup },
    subject: {
      contactId,
      numbers: [...new Set(numbers)],
      lids: [...new Set(lids)],
      emails: email === "" ? [] : [email.toLowerCase()],
    },
  };
}

/** The snapshots of merges that name the person. */
export async function emptyMerges(
  ctx: Ctx,
  contactId: number,
  words: readonly string[],
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from contact_merges where id in (
    select id from contact_merges where company_id = ${ctx.companyId} and (kept_id = ${contactId} or gone_id = ${contactId}
      or exists (select from unnest(${words}::text[]) w where strpos(snapshot::text, w) > 0)) limit ${limit})`.execute(
    ctx.db,
  );
  return Number(numAffectedRows);
}

/** Rows of imported files that were refused: their report keeps the first ones. */
export async function emptyRefusedRows(ctx: Ctx, words: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update contact_imports i set refused_rows = coalesce(
      (select jsonb_agg(r) from jsonb_array_elements(i.refused_rows) r
        where not exists (select from unnest(${words}::text[]) w where strpos(r::text, w) > 0)), '[]')
    where id in (select id from contact_imports where company_id = ${ctx.companyId}
      and exists (select from unnest(${words}::text[]) w where strpos(refused_rows::text, w) > 0) limit ${limit})`.execute(
    ctx.db,
  );
  return Number(numAffectedRows);
}

export async function findPicture(ctx: Ctx, contactId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`select picture_path as key from contacts
    where company_id = ${ctx.companyId} and id = ${contactId}`.execute(ctx.db);
  return rows[0]?.key ?? null;
}
