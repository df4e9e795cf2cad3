import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "../simulator.tables.ts";

/** The person in the simulator's network (V-02). */
export const simulatedPersonData: PersonalDataOwner = {
  name: "simulator.people",
  async erase(ctx, { numbers }, limit) {
    const { numAffectedRows = 0n } = await sql`delete from sim_people where number in (
      select number from sim_people where company_id = ${ctx.companyId} and number = any(${numbers}::text[])
      limit ${limit})`.execute(ctx.db);
    return { rows: Number(numAffectedRows) };
  },
};
