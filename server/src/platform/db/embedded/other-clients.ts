import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { onServer } from "../backup/index.ts";

/** Connections that we have closed may take a moment to end. */
const TRIES = 20;
const TRY_EVERY_MS = 100;

/** Is anybody else connected to the server of the URL, to whatever database, and stays so for two seconds? */
export async function hasOtherClients(url: string): Promise<boolean> {
  return onServer(url, async (client) => {
    for (let attempt = 0; attempt <= TRIES; attempt += 1) {
      const { rowCount } = await client.query(
        "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      if (rowCount === 0) {
        return false;
      }
      await sleep(TRY_EVERY_MS);
    }
    return true;
  });
}

/** Rows that clients have written into each table of the database since its statistics began; what PostgreSQL does by itself is not counted. */
export async function countWrites(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ counted: string }>(
      `select coalesce(string_agg(concat_ws(' ', relid, n_tup_ins, n_tup_upd, n_tup_del), ',' order by relid), '') as counted
        from pg_stat_user_tables`,
    );
    return rows[0]?.counted ?? "";
  } finally {
    await client.end();
  }
}
