import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Held by the test while a migration waits for it in the middle of a statement. */
const GATE = 5_550_099;

/** Where a migrator is killed. */
export interface Interruption {
  /** A regular expression for the text of the statement that has just begun. */
  readonly statement: string;
  /** Kill it and its session amid CREATE INDEX CONCURRENTLY on this table instead: an invalid index is left. */
  readonly indexOf?: string;
}

/**
 * Migrates in processes of their own and kills each (kill -9) at one statement: an event trigger waits there. Then two at once bring it to
 * its end. Returns what each was killed at, and the exit codes of the last two.
 */
export async function migrateWithKills(
  url: string,
  interruptions: readonly Interruption[],
): Promise<{ killedAt: string[]; exits: unknown[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      create schema interrupts; create table interrupts.at (pattern text);
      create function interrupts.wait() returns event_trigger language plpgsql as $$ begin
        if exists (select from interrupts.at where current_query() ~* pattern) then
          perform pg_advisory_lock_shared(${GATE}), pg_advisory_unlock_shared(${GATE});
        end if;
      end $$;
      create event trigger interrupt on ddl_command_start execute function interrupts.wait();
      grant usage on schema interrupts to public; grant select on interrupts.at to public`);
    const killedAt: string[] = [];
    for (const interruption of interruptions) {
      killedAt.push(await killAt(client, url, interruption));
    }
    await client.query("drop event trigger interrupt; drop schema interrupts cascade");
    const both = [start(url), start(url)].map(async (child) => (await once(child, "exit"))[0] as unknown);
    return { killedAt, exits: await Promise.all(both) };
  } finally {
    await client.end();
  }
}

async function killAt(client: pg.Client, url: string, { statement, indexOf }: Interruption): Promise<string> {
  await client.query("truncate interrupts.at");
  await client.query("insert into interrupts.at values ($1)", [statement]);
  await client.query("select pg_advisory_lock($1)", [GATE]);
  const child = start(url);
  const exit = once(child, "exit");
  await waiting(client, "advisory", child);
  if (indexOf !== undefined) {
    // Somebody writes into the table: the index has been entered as invalid and waits for the writer.
    await client.query(`begin; lock table ${indexOf} in row exclusive mode`);
    await client.query("select pg_advisory_unlock($1)", [GATE]);
    await waiting(client, "virtualxid", child);
  }
  child.kill("SIGKILL");
  await exit;
  if (indexOf !== undefined) {
    await client.query(
      `${OTHERS.replace("select", "select pg_terminate_backend(pid),")} and wait_event = 'virtualxid'`,
    );
    await client.query("commit");
    const { rows } = await client.query<{ name: string }>(
      "select indexrelid::regclass::text as name from pg_index where not indisvalid",
    );
    return `amid the index ${rows.map(({ name }) => name).join()}`;
  }
  await client.query("select pg_advisory_unlock($1)", [GATE]);
  return statement;
}

function start(url: string): ChildProcess {
  const program = join(import.meta.dirname, "migrate.fixture.ts");
  return spawn(process.execPath, [program, url], { stdio: ["ignore", "ignore", "inherit"] });
}

const OTHERS = "select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** Until a statement waits so. Throws when the process ends before. */
async function waiting(client: pg.Client, event: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const { rowCount } = await client.query(`${OTHERS} and wait_event = $1`, [event]);
    if (rowCount) {
      return;
    }
    await sleep(20);
  }
  throw new Error(`The migrator ended before anything waited (${event})`);
}
