import { Readable } from "node:stream";
import pg from "pg";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";

export interface ColumnLayout {
  readonly name: string;
  readonly type: string;
}

/** A table as this release has it. */
export interface ArchiveTable {
  readonly name: string;
  /** Those that are written; generated ones are not. */
  readonly columns: readonly ColumnLayout[];
  /** Of the primary key, without the company. */
  readonly key: readonly string[];
  /** The table that a column refers to. */
  readonly references: Readonly<Record<string, string>>;
}

export async function readTables(client: pg.Client, names: readonly string[]): Promise<ArchiveTable[]> {
  const { rows: columns } = await client.query<ColumnLayout & { table: string }>(
    `select c.relname as table, a.attname::text as name, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1::text[]) order by a.attnum`,
    [names],
  );
  const { rows: keys } = await client.query<{ table: string; kind: string; name: string; target: string | null }>(
    `select c.conrelid::regclass::text as table, c.contype::text as kind, a.attname::text as name, c.confrelid::regclass::text as target
     from pg_constraint c cross join unnest(c.conkey) with ordinality k (attnum, n)
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
     where c.contype in ('p', 'f') and c.conrelid::regclass::text = any($1::text[]) and a.attname <> 'company_id' order by k.n`,
    [names],
  );
  return names.map((name) => ({
    name,
    columns: columns.filter(({ table }) => table === name).map(({ name: column, type }) => ({ name: column, type })),
    key: keys.filter(({ table, kind }) => table === name && kind === "p").map((each) => each.name),
    references: Object.fromEntries(
      keys.flatMap((each) =>
        each.table === name && each.kind === "f" && each.target ? [[each.name, each.target]] : [],
      ),
    ),
  }));
}

export interface ArchivedCompany {
  readonly row: Readonly<Record<string, unknown>>;
  readonly planName: string | null;
}

/** A company as of one moment. */
export interface CompanySnapshot {
  readonly company: ArchivedCompany;
  readonly tables: readonly ArchiveTable[];
  /** Its rows as JSON, a line each; `take` drops or changes them. */
  lines(table: ArchiveTable, take: (row: Record<string, unknown>) => Record<string, unknown> | undefined): Readable;
  /** How many rows it has, and files with their bytes as far as its messages name them: each once, however many messages share it. */
  measure(): Promise<{ readonly rows: number; readonly files: number; readonly bytes: number }>;
  close(): Promise<void>;
}

const BATCH = 1_000;

/** Opens a snapshot of a company, as the role of requests: what another company has cannot come along. Throws ConfigError without one. */
export async function openCompany(db: Db, companyId: number, names: readonly string[]): Promise<CompanySnapshot> {
  const client = await db.connect("prosa company export");
  try {
    await client.query(
      "begin isolation level repeatable read, read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'",
    );
    const tables = await readTables(client, names);
    await client.query("set local role prosa_system");
    const { rows } = await client.query<ArchivedCompany>(
      `select to_jsonb(c) as row, (select name from plans p where p.id = c.plan_id) as "planName" from companies c
       where c.id = $1 and c.deleted_at is null`,
      [companyId],
    );
    const [company] = rows;
    if (!company) {
      throw new ConfigError(`There is no company ${companyId}.`);
    }
    await client.query("set local role prosa_app");
    await client.query("select set_config('app.company_id', $1, true)", [String(companyId)]);
    let cursors = 0;
    return {
      company,
      tables,
      lines({ name, key }, take) {
        const cursor = `lines_${(cursors += 1)}`;
        const order = key.map((column) => `t.${pg.escapeIdentifier(column)}`).join(", ") || "1";
        async function* read() {
          await client.query(
            `declare ${cursor} no scroll cursor for select to_jsonb(t) as row from ${pg.escapeIdentifier(name)} t
             where t.company_id = $1 order by ${order}`,
            [companyId],
          );
          for (let isLast = false; !isLast;) {
            const { rows: batch } = await client.query<{ row: Record<string, unknown> }>(
              `fetch ${BATCH} from ${cursor}`,
            );
            const taken = batch.flatMap(({ row }) => take(row) ?? []);
            if (taken.length > 0) {
              yield Buffer.from(`${taken.map((row) => JSON.stringify(row)).join("\n")}\n`);
            }
            isLast = batch.length < BATCH;
          }
          await client.query(`close ${cursor}`);
        }
        return Readable.from(read());
      },
      async measure() {
        const counts = tables.map(
          ({ name }) => `(select count(*) from ${pg.escapeIdentifier(name)} where company_id = $1)`,
        );
        const { rows: measured } = await client.query<{ rows: number; files: number; bytes: number }>(
          `select (${counts.join(" + ")})::float8 as rows, count(*)::float8 as files, coalesce(sum(size), 0)::float8 as bytes
           from (select max(size) as size from media where company_id = $1 and storage_key is not null group by storage_key) f`,
          [companyId],
        );
        return measured[0]!;
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The tables as this installation has them. */
export async function readTablesOf(url: string, names: readonly string[]): Promise<ArchiveTable[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readTables(client, names);
  } finally {
    await client.end();
  }
}
