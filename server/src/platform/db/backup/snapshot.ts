import type { Readable } from "node:stream";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ConfigError } from "../../config/index.ts";

/** A table of a backup: its name, and the columns whose values are kept, in order. */
export interface TableLayout {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a database consists of besides its rows. */
export interface Layout {
  /** Applied migrations, oldest first. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableLayout[];
  /** Where the sequences stand. */
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[];
}

/** All rows but those of the event log, as of one moment, while others go on writing. */
export interface Snapshot {
  readonly layout: Layout;
  /** The rows in the text format of COPY. Equal bytes for equal rows in equal order, whatever server they come from. */
  copyOut(table: TableLayout): Readable;
  close(): Promise<void>;
}

/** Of one database and not of its contents: made by the migrator, or by the processes when they first sign in. */
const OF_THE_DATABASE = ["kysely_migration", "kysely_migration_lock", "schema_release", "database_sign_in"];
/** Its rows carry transaction numbers of their server, which mean nothing to another one. */
const EVENTS = "event_log";

// The text of a value must not depend on the settings of a server or a user.
const SAME_TEXT = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set synchronize_seqscans = off; set row_security = off; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0`;

/**
 * Opens a snapshot as the owner of the tables. Throws ConfigError where row-level security would hide rows from that user,
 * which `row_security = off` makes an error rather than an incomplete copy.
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseHiddenRows(client);
    await client.query(SAME_TEXT);
    await client.query("begin isolation level repeatable read, read only");
    const layout = await readLayout(client);
    return {
      layout,
      copyOut: (table) => client.query(copyTo(`copy ${columnsOf(table)} to stdout`)),
      async close() {
        await client.end();
      },
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** `"table" ("column", …)`, as COPY takes it. */
export function columnsOf({ name, columns }: TableLayout): string {
  return `public.${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(", ")})`;
}

async function refuseHiddenRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; seesAll: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls as "seesAll" from pg_roles where rolname = current_user`,
  );
  if (!rows[0]?.seesAll) {
    throw new ConfigError(
      `DATABASE_URL: its user ${rows[0]?.name ?? ""} may not see all rows. Let a superuser run, once: ` +
        `ALTER ROLE ${pg.escapeIdentifier(rows[0]?.name ?? "")} BYPASSRLS;`,
    );
  }
}

/** Unlogged tables hold what is worth nothing after a crash (limits, heartbeats); generated columns compute themselves. */
export async function readLayout(client: pg.Client): Promise<Layout> {
  const tables = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all($1)
     group by c.relname order by c.relname`,
    [[...OF_THE_DATABASE, EVENTS]],
  );
  const sequences = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  );
  const positions = [];
  for (const { name } of sequences.rows) {
    const { rows } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from public.${pg.escapeIdentifier(name)}`,
    );
    positions.push({ name, last: rows[0]?.last ?? "1", isCalled: rows[0]?.isCalled ?? false });
  }
  const migrations = await client.query<{ name: string }>("select name from kysely_migration order by name");
  return { migrations: migrations.rows.map(({ name }) => name), tables: tables.rows, sequences: positions };
}
