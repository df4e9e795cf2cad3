import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import type { Logger } from "pino";
import { hashPassword } from "../server/src/platform/auth/index.ts";
import { foldCompanyDays } from "../server/src/features/dashboard/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { migrateToLatest, openDatabase, startEmbedded } from "../server/src/platform/db/index.ts";
import type { EmbeddedDatabase } from "../server/src/platform/db/index.ts";
import { askAsOwner, asOwner } from "../server/src/testing/as-owner.ts";
import { seedLargeCompany } from "../server/src/testing/large-company.ts";
import type { LargeCompany, SeededCompany } from "../server/src/testing/large-company.ts";

/** Version of the seed; increase it when the seeded data changes. */
const VERSION = 5;
export const password = "prosa123";

export interface Seeded {
  readonly url: string;
  readonly databasePid: number;
  readonly about: LargeCompany;
  readonly large: SeededCompany;
  /** The same company with 5,000 tickets, to measure how the cost grows with size. */
  readonly small: SeededCompany;
  /** Ids of some hundred tickets of the company, of every age and status. */
  someTickets(company: SeededCompany): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** As many attendants as the large one: the dashboard has a row of each, whatever the number of tickets. */
export const smallCompany: LargeCompany = {
  name: "small",
  contacts: 5_000,
  tickets: 5_000,
  messages: 50_000,
  users: 200,
};
const sizes: Readonly<Record<"usual" | "large", LargeCompany>> = {
  usual: { name: "large", contacts: 20_000, tickets: 50_000, messages: 500_000, users: 200 },
  large: { name: "large", contacts: 80_000, tickets: 200_000, messages: 2_000_000, users: 200 },
};

/** An embedded database of its own under `.cache/bench`, kept for the next run. `messages`: so many of the company instead. */
export async function openSeeded(
  cache: string,
  options: { isLarge: boolean; isFresh: boolean; messages?: number | undefined },
): Promise<Seeded> {
  const name = options.isLarge ? "large" : "usual";
  const { messages = sizes[name].messages } = options;
  const size = { ...sizes[name], messages };
  const folder = join(cache, messages === sizes[name].messages ? name : `${name}-${messages}`);
  const note = join(folder, `seeded-${VERSION}.json`);
  if (options.isFresh || !isUsable(note)) {
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });

  const log = pino({ level: "fatal" });
  const database = await startCounting(join(folder, "postgres"), log);
  const isSeeded = existsSync(note);
  if (isSeeded) {
    await copyDatabase(database.url, { from: pristine, to: working });
  }
  await migrateToLatest({ url: database.url, log });
  const { migrations, ...companies } = isSeeded
    ? readNote(note)
    : { ...(await seedAnew(database, size)), migrations: [] };
  const { large, small } = companies;
  if (migrations.length < migrationsNow().length) {
    await foldDays(database.url, [small, large]);
    await asOwner(database.url, "vacuum analyze");
    // Without the note a killed copy is seeded again.
    rmSync(note, { force: true });
    await copyDatabase(database.url, { from: working, to: pristine });
    writeNote(note, companies);
  }
  // Without an operator every page leads to the set-up.
  await asOwner(
    database.url,
    `update users set is_super = true where id = (select max(id) from users where company_id = ${small.companyId})`,
    "checkpoint",
  );
  const [pid] = readFileSync(join(folder, "postgres/postgres/postmaster.pid"), "utf8").split("\n");
  return {
    url: database.url,
    databasePid: Number(pid),
    about: size,
    large,
    small,
    someTickets: (company) => someTickets(database, company),
    stop: () => database.stop(),
  };
}

/**
 * The database that the product works in, and the one that was seeded: each run begins with a copy of it. What a run left would be measured by
 * the next: its messages that wait for a line, its campaigns, its newest conversations.
 */
const working = "prosa";
const pristine = "seeded";

async function copyDatabase(url: string, { from, to }: { from: string; to: string }): Promise<void> {
  const elsewhere = new URL(url);
  elsewhere.pathname = "/postgres";
  await asOwner(
    elsewhere.href,
    `drop database if exists ${to} with (force)`,
    `create database ${to} template ${from} strategy file_copy`,
  );
}

/** The embedded database, with the extension that counts its statements. */
async function startCounting(dataDir: string, log: Logger): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log });
  const [row] = await askAsOwner<{ libraries: string }>(
    database.url,
    "select current_setting('shared_preload_libraries') as libraries",
  );
  if (row?.libraries === "pg_stat_statements") {
    return database;
  }
  await asOwner(
    database.url,
    "alter system set shared_preload_libraries = 'pg_stat_statements'",
    "create extension if not exists pg_stat_statements",
  );
  await database.stop();
  return startEmbedded({ dataDir, log });
}

/** Four hundred by chance, the same in each run: every so many would be short or long conversations only, which are seeded in turns. */
async function someTickets({ url }: EmbeddedDatabase, { companyId }: SeededCompany): Promise<readonly number[]> {
  const rows = await askAsOwner<{ id: number }>(
    url,
    "select id from tickets where company_id = $1 order by md5(id::text) limit 400",
    [companyId],
  );
  return rows.map(({ id }) => id);
}

type Companies = Pick<Seeded, "large" | "small">;
interface Note extends Companies {
  readonly migrations: readonly string[];
}

function readNote(note: string): Note {
  return JSON.parse(readFileSync(note, "utf8")) as Note;
}

function writeNote(note: string, companies: Companies): void {
  writeFileSync(note, JSON.stringify({ ...companies, migrations: migrationsNow() } satisfies Note));
}

/** What was seeded is migrated like any other database; with a migration that is not there any more it is seeded again. */
function isUsable(note: string): boolean {
  const now = new Set(migrationsNow());
  return existsSync(note) && readNote(note).migrations.every((name) => now.has(name));
}

function migrationsNow(): readonly string[] {
  return readdirSync(join(import.meta.dirname, "../server/migrations")).filter((name) => name.endsWith(".ts"));
}

async function seedAnew({ url }: EmbeddedDatabase, about: LargeCompany): Promise<Companies> {
  console.log(`seeding ${about.tickets} tickets and ${about.messages} messages…`);
  const hash = await hashPassword(password);
  const small = await seedLargeCompany(url, smallCompany, hash);
  const large = await seedLargeCompany(url, about, hash);
  return { large, small };
}

/** What the hourly job of the dashboard does. */
async function foldDays(url: string, companies: readonly SeededCompany[]): Promise<void> {
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log });
  for (const { companyId } of companies) {
    const actor = { kind: "system", companyId, reason: "bench" } as const;
    await foldCompanyDays((work) => db.inCompany({ companyId, log, clock: systemClock, actor }, work));
  }
  await db.close();
  await asOwner(url, "vacuum analyze kept_days, kept_day_users, kept_day_marks");
}
