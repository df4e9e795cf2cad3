import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import { databaseName } from "#server/platform/db/index.ts";

/** The file DATA_DIR/database names the database that the files and keys in DATA_DIR belong to. */
const EMBEDDED = "embedded";

/** The external database that this DATA_DIR was last used with; undefined if it was the embedded one, or is new. */
export async function findRecordedDatabase(config: Config): Promise<string | undefined> {
  const text = await readFile(fileOf(config), "utf8").catch(() => "");
  const name = text.trim();
  return name === "" || name === EMBEDDED ? undefined : name;
}

/** Errors are ignored: a folder that cannot be written holds no files. */
export async function recordDatabase(config: Config): Promise<void> {
  const name = config.databaseUrl === undefined ? EMBEDDED : databaseName(config.databaseUrl);
  await writeFile(fileOf(config), `${name}\n`).catch(() => undefined);
}

function fileOf(config: Config): string {
  return join(config.dataDir, "database");
}
