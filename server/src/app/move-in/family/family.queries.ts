import pg from "pg";
import { ConfigError } from "#server/platform/config/index.ts";

/** A row of the source as it is: columns differ from version to version, and what is missing is undefined. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** What to read of a table. */
export interface Reading {
  readonly table: string;
  /** Those of them that the table has are read. */
  readonly columns: readonly string[];
  /** Where the table has no company: the column that leads to one that has. */
  readonly through?: readonly { readonly column: string; readonly table: string }[];
  /** Default: by id. */
  readonly order?: string;
  readonly batch?: number;
}

/** A database of the Whaticket family, as of one moment. Nothing is written to it. */
export interface Family {
  readonly fingerprint: string;
  has(table: string, column?: string): boolean;
  /** Rows of one company, in batches; all rows where `companyId` is null, or where the version knows no companies. */
  read(reading: Reading, companyId: number | null): AsyncGenerator<readonly SourceRow[]>;
  /** Rows whose column has one of these values. */
  readOf(table: string, columns: readonly string[], column: string, values: readonly unknown[]): Promise<SourceRow[]>;
  count(reading: Reading, companyId: number | null): Promise<number>;
  /** Rows of a table that belong to no company, so that no company brings them. */
  countOrphans(table: string): Promise<number>;
  close(): Promise<void>;
}

const BATCH = 2_000;

const [DATE, TIMESTAMP] = [1082, 1114];
/** Times without a zone are UTC, as Sequelize writes them; the driver takes them, and days, for those of this machine. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === DATE) {
      return (text: string) => text;
    }
    return oid === TIMESTAMP
      ? (text: string) => new Date(`${text.replace(" ", "T")}Z`)
      : (pg.types.getTypeParser(oid, format as "text") as (text: string) => unknown);
  },
};

/** Opens the source. Throws ConfigError where it does not answer, or is no database of the family. */
export async function openFamily(url: string): Promise<Family> {
  const client = new pg.Client({ connectionString: url, application_name: "prosa move-in", types });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new ConfigError(`--from: the database does not answer: ${(error as Error).message}`, { cause: error });
  }
  try {
    await client.query("begin isolation level repeatable read, read only");
    await client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    const tables = await readTables(client);
    for (const table of ["Users", "Contacts", "Tickets", "Messages"]) {
      if (!tables.has(table)) {
        throw new ConfigError(`--from: this is not a database of the Whaticket family: it has no table "${table}"`);
      }
    }
    return familyOf(client, tables, await readFingerprint(client, tables));
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** By table and column: the type. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function readTables(client: pg.Client): Promise<Tables> {
  const { rows } = await client.query<{ name: string; columns: Record<string, string> }>(
    `select table_name::text as name, json_object_agg(column_name, data_type) as columns from information_schema.columns
     where table_schema = current_schema() group by table_name`,
  );
  return new Map(rows.map(({ name, columns }) => [name, new Map(Object.entries(columns))]));
}

/** The same for a copy that was restored elsewhere: when its first company and its first user were made. */
async function readFingerprint(client: pg.Client, tables: Tables): Promise<string> {
  const parts: string[] = [];
  for (const table of ["Companies", "Users"].filter((name) => tables.get(name)?.has("createdAt"))) {
    const { rows } = await client.query<{ first: string }>(
      `select coalesce(extract(epoch from "createdAt")::text, '') || ' ' || id as first from "${table}" order by id limit 1`,
    );
    parts.push(`${table} ${rows[0]?.first ?? "none"}`);
  }
  return `family: ${parts.join(", ")}`;
}

function familyOf(client: pg.Client, tables: Tables, fingerprint: string): Family {
  let cursors = 0;
  const has: Family["has"] = (table, column) =>
    column === undefined ? tables.has(table) : (tables.get(table)?.has(column) ?? false);
  const columnsOf = (table: string, wanted: readonly string[]) =>
    wanted.filter((column) => has(table, column)).map((column) => `t.${pg.escapeIdentifier(column)}`);

  /** The condition of one company: by the table's own column, else by the first way that exists. */
  function conditionOf({ table, through = [] }: Reading, companyId: number | null): { text: string; values: number[] } {
    if (companyId === null) {
      return { text: "true", values: [] };
    }
    if (has(table, "companyId")) {
      return { text: `t."companyId" = $1`, values: [companyId] };
    }
    const way = through.find((each) => has(table, each.column) && has(each.table, "companyId"));
    return way
      ? {
          text: `t."${way.column}" in (select p.id from "${way.table}" p where p."companyId" = $1)`,
          values: [companyId],
        }
      : { text: "true", values: [] };
  }

  return {
    fingerprint,
    has,
    async *read(reading, companyId) {
      const { table, columns, order = "t.id", batch = BATCH } = reading;
      if (!has(table)) {
        return;
      }
      const cursor = `rows_${(cursors += 1)}`;
      const { text, values } = conditionOf(reading, companyId);
      await client.query(
        `declare ${cursor} no scroll cursor for
         select ${columnsOf(table, columns).join(", ")} from "${table}" t where ${text} order by ${order}`,
        values,
      );
      for (;;) {
        const { rows } = await client.query<Record<string, unknown>>(`fetch ${batch} from ${cursor}`);
        if (rows.length > 0) {
          yield rows;
        }
        if (rows.length < batch) {
          break;
        }
      }
      await client.query(`close ${cursor}`);
    },
    async readOf(table, columns, column, values) {
      if (!has(table) || !has(table, column) || values.length === 0) {
        return [];
      }
      // A version may keep an id as a number of 32 bits here and of 64 there.
      const isNumber = ["smallint", "integer", "bigint"].includes(tables.get(table)?.get(column) ?? "");
      const asked = isNumber ? values.filter((value) => /^-?\d{1,18}$/u.test(String(value))) : values;
      const { rows } = await client.query<Record<string, unknown>>(
        `select ${columnsOf(table, columns).join(", ")} from "${table}" t
         where t."${column}" = any($1${isNumber ? "::bigint[]" : ""}) order by t.id`,
        [asked],
      );
      return rows;
    },
    async count(reading, companyId) {
      if (!has(reading.table)) {
        return 0;
      }
      const { text, values } = conditionOf(reading, companyId);
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from "${reading.table}" t where ${text}`,
        values,
      );
      return rows[0]?.n ?? 0;
    },
    async countOrphans(table) {
      if (!has(table, "companyId") || !has("Companies")) {
        return 0;
      }
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from "${table}" t where not exists (select from "Companies" c where c.id = t."companyId")`,
      );
      return rows[0]?.n ?? 0;
    },
    close: () => client.end(),
  };
}
