import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { inDatabase, onServer } from "#server/testing/server.ts";
import { systemClock } from "../../clock/index.ts";
import { eventsSince } from "../../events/index.ts";
import { migrateToLatest } from "./migrator.ts";
import { openDatabase } from "../open-database.ts";

async function createDatabase(how = ""): Promise<string> {
  const server = inject("templateUrl");
  const name = `prosa_migrate_${randomBytes(6).toString("hex")}`;
  await onServer(server, (client) => client.query(`create database ${name} ${how}`));
  onTestFinished(() => onServer(server, (client) => client.query(`drop database ${name} with (force)`)).then(() => {}));
  return inDatabase(server, name);
}

/** The URL of a database with the newest schema. */
const migratedDatabase = () =>
  createDatabase(`template ${new URL(inject("templateUrl")).pathname.slice(1)} strategy file_copy`);

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("two processes at once migrate one database, each migration once", async () => {
  const url = await createDatabase();
  const program = `
    import { pino } from "pino";
    import { migrateToLatest } from "${path.join(import.meta.dirname, "migrator.ts")}";
    await migrateToLatest({ url: process.argv[1], log: pino({ level: "fatal" }) });`;
  const children = [1, 2].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", program, url], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  expect(exits.map(([code]) => code as unknown)).toEqual([0, 0]);

  const applied = await query(url, "select name from kysely_migration order by name");
  expect(applied[0]).toEqual({ name: "0000_platform" });
  expect(new Set(applied.map((row) => row["name"])).size).toBe(applied.length);
});

test("every table of a company has row-level security that binds the owner too", async () => {
  const open = await query(
    inject("templateUrl"),
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       and not (c.relrowsecurity and c.relforcerowsecurity)`,
  );
  expect(open).toEqual([]);
});

/** The URL of an empty database as its owner, an ordinary user. */
async function ordinaryOwner(rights = ""): Promise<string> {
  const server = inject("templateUrl");
  const user = `prosa_plain_${randomBytes(4).toString("hex")}`;
  // A server of one's own wants a password, the embedded one none.
  await onServer(server, (client) =>
    client.query(`create role ${user} login password '${user}'; ${rights.replaceAll("$user", user)}`),
  );
  // Finishers run backwards: first the database goes, then its owner.
  onTestFinished(() => onServer(server, (client) => client.query(`drop role ${user}`)).then(() => {}));
  const url = new URL(await createDatabase(`owner ${user}`));
  url.username = user;
  url.password = user;
  return url.href;
}

test("an ordinary owner who was given the roles can migrate and serve", async () => {
  const url = await ordinaryOwner("grant prosa_app, prosa_system to $user");
  await migrateToLatest({ url, log: testLog });
  const db = openDatabase({ url, log: testLog, max: 1, systemMax: 1 });
  onTestFinished(() => db.close());
  const actor = { kind: "system", companyId: 1, reason: "test" } as const;
  await db.inCompany({ actor, companyId: 1, log: testLog, clock: systemClock }, async (ctx) =>
    ctx.emit({ type: "thing.happened", payload: {} }),
  );
  expect(await eventsSince(db, "")).toMatchObject({ kind: "refetch" });
});

test("a user who may not create roles gets the statement that a superuser must run", async () => {
  await expect(migrateToLatest({ url: await ordinaryOwner(), log: testLog })).rejects.toThrow(/GRANT prosa_app TO/);
});

/** A database that the next release brought up to date: it has a migration that we do not. */
async function ofNextRelease(worksBeside: string): Promise<string> {
  const url = await migratedDatabase();
  await query(
    url,
    `insert into kysely_migration (name, timestamp) values ('9999_later', now()::text);
     update schema_release set version = '1.2.0', works_beside = '${worksBeside}'`,
  );
  return url;
}

test("the release before starts on a newer database and changes nothing", async () => {
  const url = await ofNextRelease("1.1.0");
  const schema = "select * from kysely_migration_lock, schema_release";
  const before = await query(url, schema);
  await migrateToLatest({ url, log: testLog, release: { version: "1.1.0", worksBeside: "1.0.0" } });
  expect(await query(url, schema)).toEqual(before);
});

test("an older release is refused, with the release to start", async () => {
  const url = await ofNextRelease("1.2.0");
  await expect(
    migrateToLatest({ url, log: testLog, release: { version: "1.1.0", worksBeside: "1.0.0" } }),
  ).rejects.toThrow("the database belongs to release 1.2.0, which runs beside 1.2.0 or newer; this is 1.1.0");
});

test("an older process does not take the schema for its own", async () => {
  const url = await migratedDatabase();
  for (const version of ["1.10.0", "1.9.0"]) {
    await migrateToLatest({ url, log: testLog, release: { version, worksBeside: "1.9.0" } });
  }
  expect(await query(url, "select version from schema_release")).toEqual([{ version: "1.10.0" }]);
});

test("a process that waits for another migrator logs it", async () => {
  const url = await createDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("select pg_advisory_lock(7276672)");
  let output = "";
  const log = pino({ level: "info" }, { write: (line: string) => void (output += line) });
  const migrated = migrateToLatest({ url, log });
  await expect.poll(() => output).toContain("waiting for another process that migrates");
  await other.end();
  await migrated;
});
