import { matchNumber } from "@prosa/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { namesOneOf } from "#server/platform/db/index.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";

interface SubjectRow {
  readonly name: string;
  readonly number: string | null;
  readonly isGroup: boolean;
}

interface FoundSubject {
  readonly contact: SubjectRow;
  readonly subject: DataSubject;
  /** The row, told apart from those that have its id in another restore. */
  readonly rowKey: string;
  readonly createdAt: Date;
}

/** The contact, locked, and how rows refer to the person; undefined where it is gone. */
export async function findDataSubject(ctx: Ctx, contactId: number): Promise<FoundSubject | undefined> {
  const [found] = await selectSubjects(ctx, sql`id = ${contactId} for update`);
  return found;
}

/** The contacts after this id, in the order of their ids, and how rows refer to them. */
export async function findDataSubjects(ctx: Ctx, afterId: number, limit: number): Promise<FoundSubject[]> {
  return selectSubjects(ctx, sql`id > ${afterId} order by id limit ${limit}`);
}

type Row = SubjectRow & {
  readonly id: number;
  readonly numberKey: string | null;
  readonly email: string;
  readonly phones: readonly string[];
  readonly lids: readonly string[];
  readonly createdAt: Date;
  readonly createdMicros: string;
};

async function selectSubjects(ctx: Ctx, which: RawBuilder<unknown>): Promise<FoundSubject[]> {
  const { rows } = await sql<Row>`
    select id, name, number, number_key as "numberKey", email, is_group as "isGroup", created_at as "createdAt",
      (extract(epoch from created_at) * 1000000)::bigint::text as "createdMicros",
      array(select value from contact_identifiers i where i.contact_id = c.id and kind = 'phone'
        union select number_key from contact_aliases m where m.company_id = c.company_id and m.contact_id = c.id) as phones,
      array(select value from contact_identifiers i where i.contact_id = c.id and kind = 'lid') as lids
    from contacts c where company_id = ${ctx.companyId} and ${which}`.execute(ctx.db);
  return rows.map(({ id, name, number, isGroup, numberKey, phones, lids, email, createdAt, createdMicros }) => {
    const numbers = isGroup
      ? []
      : [number, numberKey, ...phones].flatMap((each) => (each ? [each, matchNumber(each)] : []));
    return {
      contact: { name, number, isGroup },
      subject: {
        contactId: id,
        numbers: [...new Set(numbers)],
        lids: [...new Set(lids)],
        emails: email === "" ? [] : [email.toLowerCase()],
      },
      rowKey: `${id} ${createdMicros}`,
      createdAt,
    };
  });
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
      or ${namesOneOf(sql`snapshot::text`, words)}) limit ${limit})`.execute(ctx.db);
  return Number(numAffectedRows);
}

/** Rows of imported files that were refused: their report keeps the first ones. */
export async function emptyRefusedRows(ctx: Ctx, words: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update contact_imports i set refused_rows = coalesce(
      (select jsonb_agg(r) from jsonb_array_elements(i.refused_rows) r
        where not ${namesOneOf(sql`r::text`, words)}), '[]')
    where id in (select id from contact_imports where company_id = ${ctx.companyId}
      and ${namesOneOf(sql`refused_rows::text`, words)} limit ${limit})`.execute(ctx.db);
  return Number(numAffectedRows);
}

export async function findPicture(ctx: Ctx, contactId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`select picture_path as key from contacts
    where company_id = ${ctx.companyId} and id = ${contactId}`.execute(ctx.db);
  return rows[0]?.key ?? null;
}
