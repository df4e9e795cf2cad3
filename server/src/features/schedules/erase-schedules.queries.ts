import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "./schedules.tables.ts";

/** What was to be sent to the person, with its files (V-02). */
export const scheduleData: PersonalDataOwner = {
  name: "schedules",
  async erase(ctx, { contactId }, limit) {
    const { rows } = await sql<{ key: string | null }>`delete from schedules where id in (
      select id from schedules where company_id = ${ctx.companyId} and contact_id = ${contactId} limit ${limit})
      returning media_path as key`.execute(ctx.db);
    return { rows: rows.length, files: rows.flatMap(({ key }) => key ?? []) };
  },
};
