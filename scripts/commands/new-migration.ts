import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { migrationFolder, nextMigration } from "../support/migrations.ts";
import { root } from "../support/paths.ts";

/** Makes an empty migration with the next free number: `npm run new-migration -- colour of contacts`. */
export async function run(words: readonly string[]): Promise<void> {
  const file = `${migrationFolder}/${nextMigration(root)}_${migrationName(words)}.ts`;
  writeFileSync(join(root, file), template);
  console.log(`made ${file}

The release before this one must run on what it leaves: add now, take away in a later release.
A column of users, companies, sessions or audit_log that requests write is granted to prosa_app here.
npm run check -- --fix lists it in ${migrationFolder}/hashes.txt. When another one landed under its number meanwhile:
rename it to the next, and run that again.`);
}

/** The name of a migration from what it does, in one argument or several. Throws LaunchError where they make no file name. */
export function migrationName(words: readonly string[]): string {
  const name = words.join("_").replaceAll(/[ -]/g, "_");
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw new LaunchError(
      "What does it do, in small letters? For example: npm run new-migration -- colour of contacts",
    );
  }
  return name;
}

const template = `import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Why the schema changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table …\`.execute(db);
}
`;
