import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { columnsOf, readLayout } from "./snapshot.ts";
import type { Layout, TableLayout } from "./snapshot.ts";

/** A table's rows as they come, in the order of the archive. */
export interface TableRows {
  readonly table: TableLayout;
  readonly rows: Readable;
}

/**
 * Fills a migrated database with the rows of a backup, all or nothing. What migrations wrote by themselves is replaced, no
 * trigger runs, and foreign keys are made again at the end, which checks them. Throws when the tables are not those of the backup.
 */
export async function loadSnapshot(url: string, layout: Layout, tables: AsyncIterable<TableRows>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseOtherLayout(client, layout);
    await client.query("set row_security = off; set statement_timeout = 0; begin");
    const foreignKeys = await takeForeignKeys(client);
    const triggered = await tablesWithTriggers(client);
    await setTriggers(client, triggered, "disable");
    await client.query(`truncate ${layout.tables.map(({ name }) => identifier(name)).join(", ")}`);
    for await (const { table, rows } of tables) {
      await pipeline(rows, client.query(copyFrom(`copy ${columnsOf(table)} from stdin`)));
    }
    for (const { name, last, isCalled } of layout.sequences) {
      await client.query("select setval($1::regclass, $2::bigint, $3)", [identifier(name), last, isCalled]);
    }
    await setTriggers(client, triggered, "enable");
    for (const statement of foreignKeys) {
      await client.query(statement);
    }
    // Browsers refetch, instead of going on from cursors into the event log of the other server.
    await client.query("truncate event_log; update epoch set id = default, pruned_through = default");
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

function identifier(table: string): string {
  return `public.${pg.escapeIdentifier(table)}`;
}

async function refuseOtherLayout(client: pg.Client, wanted: Layout): Promise<void> {
  const found = await readLayout(client);
  const shape = ({ tables }: Layout) =>
    tables.map(({ name, columns }) => `${name}(${columns.toSorted().join(",")})`).toSorted();
  const [here, there] = [shape(found), shape(wanted)];
  const differing = [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))];
  if (differing.length > 0) {
    throw new Error(`The tables of the backup are not those of its migrations: ${differing.join("; ")}`);
  }
}

/** Drops the foreign keys and returns the statements that make them again: rows come table by table. */
async function takeForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by conname`,
  );
  for (const { drop } of rows) {
    await client.query(drop);
  }
  return rows.map(({ make }) => make);
}

async function tablesWithTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgenabled = 'O' and c.relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function setTriggers(client: pg.Client, tables: readonly string[], action: "disable" | "enable"): Promise<void> {
  for (const table of tables) {
    await client.query(`alter table ${identifier(table)} ${action} trigger user`);
  }
}
