import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import type pg from "pg";
import type { Database } from "../database.ts";

/** Runs one statement in an open transaction or on any connection of a pool. */
export type RunStatement = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

/** Kysely over a function that runs statements. It cannot open transactions; inCompany, read and systemTx do. */
export function kyselyOver(run: RunStatement): Kysely<Database> {
  const driver = statementDriver(run);
  const dialect: Dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => compiler,
  };
  return new Kysely<Database>({ dialect });
}

function statementDriver(run: RunStatement): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await run({ text: query.sql, values: [...query.parameters] });
      const rows = result.rows as R[];
      return CHANGES.has(result.command) ? { rows, numAffectedRows: BigInt(result.rowCount ?? rows.length) } : { rows };
    },
    // oxlint-disable-next-line require-yield -- the interface asks for a generator
    async *streamQuery() {
      throw new Error("Streaming needs a connection of its own");
    },
  };
  return {
    async init() {},
    async acquireConnection() {
      return connection;
    },
    async beginTransaction() {
      throw new Error("Open transactions with inCompany, read or systemTx");
    },
    async commitTransaction() {},
    async rollbackTransaction() {},
    async releaseConnection() {},
    async destroy() {},
  };
}

const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
