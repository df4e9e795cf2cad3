import { matchNumber } from "@prosa/contract";
import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "./campaigns.tables.ts";

/** The person among the contacts of campaigns, with their results (V-02). The counts of the campaigns follow by trigger. */
export const recipientData: PersonalDataOwner = {
  name: "campaigns.recipients",
  async erase(ctx, { contactId, numbers }, limit) {
    const { numAffectedRows = 0n } = await sql`delete from campaign_recipients where id in (
      select id from campaign_recipients where company_id = ${ctx.companyId}
        and (contact_id = ${contactId} or match_number = any(${numbers.map(matchNumber)}::text[])
          or number = any(${numbers}::text[])) limit ${limit})`.execute(ctx.db);
    return { rows: Number(numAffectedRows) };
  },
};
