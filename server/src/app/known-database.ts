import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import { databaseName } from "#server/platform/db/index.ts";

/** DATA_DIR/database says which database the rest of the folder belongs to: its files and keys are of no use to another. */
const EMBEDDED = "embedded";

/** The served database that this DATA_DIR was last used with; undefined where it was the embedded one, or is new. */
export async function otherDatabaseOf(config: Config): Promise<string | undefined> {
  const text = await readFile(fileOf(config), "utf8").catch(() => "");
  const known = text.trim();
  return known === "" || known === EMBEDDED ? undefined : known;
}

/** A folder that cannot be written is not in use. */
export async function noteDatabase(config: Config): Promise<void> {
  const name = config.databaseUrl === undefined ? EMBEDDED : databaseName(config.databaseUrl);
  await writeFile(fileOf(config), `${name}\n`).catch(() => undefined);
}

function fileOf(config: Config): string {
  return join(config.dataDir, "database");
}
