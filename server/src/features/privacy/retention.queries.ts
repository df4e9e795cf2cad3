import { sql } from "kysely";
import type { Db } from "#server/platform/db/index.ts";

export async function findCompanies(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from companies where deleted_at is null order by id`.execute(
    db.system,
  );
  return rows.map(({ id }) => id);
}
