import { sql } from "kysely";
import { namesOneOf } from "#server/platform/db/index.ts";
import { wordsOf } from "#server/platform/personal-data.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "./calls.tables.ts";

/** What integrations were told about the contact, and what they answered (V-02). */
export const callData: readonly PersonalDataOwner[] = [
  {
    name: "queue-integrations.calls",
    async erase(ctx, subject, limit) {
      const { numAffectedRows = 0n } = await sql`delete from integration_calls where id in (
        select id from integration_calls where company_id = ${ctx.companyId}
          and (ticket_id in (select t.id from tickets t
            where t.company_id = ${ctx.companyId} and t.contact_id = ${subject.contactId})
          or ${namesOneOf(sql`concat_ws(' ', request, answer, reply::text)`, wordsOf(subject))})
        limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
];
