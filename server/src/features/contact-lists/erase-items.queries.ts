import { matchNumber } from "@prosa/contract";
import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import { wordsOf } from "#server/platform/personal-data.ts";
import type {} from "./contact-lists.tables.ts";

/** The person in lists, and in the rows of imported files that were refused (V-02). The counts of the lists follow by trigger. */
export const contactListData: readonly PersonalDataOwner[] = [
  {
    name: "contact-lists.items",
    async erase(ctx, { numbers, emails }, limit) {
      const matches = numbers.map(matchNumber);
      const { numAffectedRows = 0n } = await sql`delete from contact_list_items where id in (
        select id from contact_list_items where company_id = ${ctx.companyId}
          and (match_number = any(${matches}::text[]) or number = any(${numbers}::text[])
            or (email <> '' and lower(email) = any(${emails}::text[]))) limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
  {
    name: "contact-lists.refused",
    async erase(ctx, subject, limit) {
      const { numAffectedRows = 0n } = await sql`delete from contact_list_refused_rows where (import_id, line) in (
        select import_id, line from contact_list_refused_rows where company_id = ${ctx.companyId}
          and exists (select from unnest(${wordsOf(subject)}::text[]) w
            where strpos(regexp_replace(number, '[^0-9]', '', 'g'), w) > 0 or strpos(lower(name || number), w) > 0)
        limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
];
