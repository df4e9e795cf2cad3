import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";

export const dumpFolder = join(import.meta.dirname, "dumps");

export function dumpFile(migration: string): string {
  return join(dumpFolder, `${migration.slice(0, 4)}.sql.gz`);
}

/** Fills an empty database of a server that has the roles of Prosa with the schema and the rows of a dump, as a superuser. */
export async function restoreDump(url: string, migration: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(gunzipSync(readFileSync(dumpFile(migration))).toString("utf8"));
  } finally {
    await client.end();
  }
}
