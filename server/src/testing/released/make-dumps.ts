import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { pino } from "pino";
import { inDatabase, migrateToLatest, onServer } from "#server/platform/db/index.ts";
import { dumpFile, dumpFolder } from "./dump.ts";
import { companySql, releasedSchemas } from "./seed.ts";

/**
 * Makes the dumps that are missing: one history of an installation that is migrated from schema to schema, and gets a company and
 * what is new under each. A dump that landed stays as it is. With the oldest PostgreSQL that we promise, because its dumps can be read
 * by all later ones.
 */
const server = process.env["PROSA_TEST_DATABASE_URL"] ?? "";
if (server === "") {
  throw new Error(
    "Set PROSA_TEST_DATABASE_URL to a PostgreSQL 15, as a superuser of it; pg_dump of that version must be on the PATH.",
  );
}
const log = pino({ level: "fatal" });
const name = `prosa_released_${process.pid}`;
const url = inDatabase(server, name);
await onServer(server, (client) =>
  client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`),
);
try {
  mkdirSync(dumpFolder, { recursive: true });
  for (const { migration, additions } of releasedSchemas) {
    await migrateToLatest({ url, log, upTo: migration });
    await fill(migration, additions);
    if (!existsSync(dumpFile(migration))) {
      const text = execFileSync("pg_dump", ["--inserts", "--rows-per-insert=200", url], { maxBuffer: 1 << 28 });
      // The owner of the tables is whoever restores; what belongs to the roles of Prosa keeps its owner.
      const portable = text
        .toString("utf8")
        .replaceAll(/^(?:ALTER .* OWNER TO (?!prosa_).*;|\\(?:un)?restrict .*)$/gmu, "");
      writeFileSync(dumpFile(migration), gzipSync(portable, { level: 9 }));
      process.stdout.write(`${migration}: made\n`);
    }
  }
} finally {
  await onServer(server, (client) => client.query(`drop database ${name} with (force)`));
}

async function fill(migration: string, additions: (companyId: number) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(await companySql(migration));
    const { rows } = await client.query<{ id: number }>("select id from companies order by id");
    for (const { id } of rows) {
      await client.query(additions(id));
    }
  } finally {
    await client.end();
  }
}
