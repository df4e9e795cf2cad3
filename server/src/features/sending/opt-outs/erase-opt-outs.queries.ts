import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";

/** That the person wanted no campaigns, with the word that said so (V-02). */
export const optOutData: PersonalDataOwner = {
  name: "sending.opt-outs",
  async erase(ctx, { contactId, numbers }, limit) {
    const { numAffectedRows = 0n } = await sql`delete from opt_outs where id in (
      select id from opt_outs where company_id = ${ctx.companyId}
        and (contact_id = ${contactId} or number_key = any(${numbers}::text[])) limit ${limit})`.execute(ctx.db);
    return { rows: Number(numAffectedRows) };
  },
};
