import { sql } from "kysely";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "./messages-api.tables.ts";

/** What other software asked to send to the person, with files that still wait (V-02). */
export const apiMessageData: PersonalDataOwner = {
  name: "messages-api.requests",
  async erase(ctx, { numbers }, limit) {
    const { rows } = await sql<{ files: unknown }>`delete from api_messages where id in (
      select id from api_messages where company_id = ${ctx.companyId} and number = any(${numbers}::text[])
      limit ${limit}) returning files`.execute(ctx.db);
    return { rows: rows.length, files: rows.flatMap(({ files }) => keysIn(files)) };
  },
};

function keysIn(files: unknown): string[] {
  return [...(JSON.stringify(files ?? []).match(/company\/\d+\/messages\/[\w.-]+/g) ?? [])];
}
