import pg from "pg";

/** All that a schema consists of besides rows, a line for each thing, sorted. Equal for a fresh database and one that was migrated from a dump (which loses needless parentheses). */
const CATALOG = `
  with mine as (select oid from pg_class where relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')),
    things (line) as (
    select format('column %s.%s %s %s %s %s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity)
      || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') || ' ' || coalesce((select string_agg(x::text, ',' order by x::text) from unnest(a.attacl) x), '')
      from mine join pg_attribute a on a.attrelid = mine.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where exists (select from pg_class c where c.oid = a.attrelid and c.relkind in ('r', 'v'))
    union all select format('table %s %s %s %s %s %s', c.oid::regclass, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions)
      || coalesce((select string_agg(x::text, ',' order by x::text) from unnest(c.relacl) x), '') from pg_class c join mine using (oid) where relkind <> 'i'
    union all select format('index %s %s %s', pg_get_indexdef(indexrelid), indisvalid, c.reloptions)
      from pg_index join pg_class c on c.oid = indexrelid join mine on mine.oid = indrelid
    union all select format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid), convalidated)
      from pg_constraint join mine on mine.oid = conrelid where contype <> 'n'
    union all select format('policy %s', p) from pg_policies p where schemaname = 'public'
    union all select format('trigger %s %s', translate(pg_get_triggerdef(t.oid), '()', ''), tgenabled) from pg_trigger t join mine on mine.oid = tgrelid where not tgisinternal
    union all select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
    union all select format('function %s %s %s', pg_get_functiondef(p.oid), case when pg_get_userbyid(proowner) like 'prosa%' then pg_get_userbyid(proowner) end,
        (select string_agg(x::text, ',' order by x::text) from unnest(p.proacl) x))
      from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  ) select line from things order by line collate "C"`;

export async function catalogOf(url: string): Promise<string[]> {
  return (await onOwner<{ line: string }>(url, CATALOG)).map(({ line }) => line);
}

/** Of the machinery, whose rows come and go, or that a migration made anew on purpose: the audit log of before it was a chain. */
const PASSING = [
  "jobs",
  "event_log",
  "epoch",
  "cron_runs",
  "rate_limits",
  "audit_log",
  "kysely_migration",
  "kysely_migration_lock",
  "schema_release",
];

export interface Contents {
  readonly table: string;
  /** The columns that the rows are compared by. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly digest: string;
}

/** Number and digest of all rows of each table; with `like`, by the tables and columns of that. */
export async function contentsOf(url: string, like?: readonly Contents[]): Promise<Contents[]> {
  const there = await onOwner<{ table: string; columns: string[] }>(
    url,
    `select c.relname as table, array_agg(a.attname::text order by a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1) group by 1 order by 1`,
    [PASSING],
  );
  const columnsThere = new Map(there.map(({ table, columns }) => [table, columns]));
  const tables = (like ?? there)
    .filter(({ table }) => columnsThere.has(table))
    .map(({ table, columns }) => ({
      table,
      columns: columns.filter((name) => columnsThere.get(table)?.includes(name)),
    }));
  const digests = tables.map(
    ({ table, columns }) =>
      `select count(*)::int as rows, md5(coalesce(string_agg(r::text, e'\\n' order by r::text collate "C"), '')) as digest
       from (select row(${columns.map((column) => pg.escapeIdentifier(column)).join(", ")}) as r from ${pg.escapeIdentifier(table)}) x`,
  );
  const found = await onOwner<{ rows: number; digest: string }>(url, digests.join(" union all "));
  return tables.map((table, index) => ({ ...table, ...found[index]! }));
}

/** Runs one statement as the owner of the database. */
export async function onOwner<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, options: "-c timezone=UTC" });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
