import { CompiledQuery, sql } from "kysely";
import pg from "pg";
import type { Ctx } from "../../ctx.ts";
import { ConfigError } from "../../config/index.ts";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import type { SystemTx } from "../open-database.ts";

/** Column values of a row to insert. Dates and objects become what JSON makes of them. */
export type NewRow = Readonly<Record<string, unknown>>;

/** Where a row of the source went. */
export interface Moved {
  readonly oldId: string;
  readonly newId: number;
  /** False: it was there before, or became a part of another row. */
  readonly isMade: boolean;
}

/** One transaction of a move: the rows and where they came from are committed together. */
export interface MoveTx {
  /** Nothing is written. */
  readonly isDry: boolean;
  /** New ids of a table, in ascending order. */
  reserveIds(table: string, count: number): Promise<number[]>;
  /**
   * Inserts rows that all have the same columns. Returns the ids of those that no unique key was in the way of; of a table without ids,
   * their places in `rows`.
   */
  insert(table: string, rows: readonly NewRow[], options?: InsertOptions): Promise<ReadonlySet<number>>;
  query<Row extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Which of these are known already. */
  findMoved(entity: string, oldIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findAllMoved(entities: readonly string[]): Promise<readonly KnownRow[]>;
  saveMoved(entity: string, rows: readonly Moved[]): Promise<void>;
}

export interface KnownRow {
  readonly entity: string;
  readonly oldId: string;
  readonly newId: number;
}

export interface InsertOptions {
  /** The table has no column `id`: those of its primary key, which all rows have. */
  readonly key?: readonly string[];
  /** Called for a row that the database refuses, with the reason; the others are inserted. Without it such a row ends the batch. */
  readonly onRefused?: (row: NewRow, reason: string) => void;
}

/** Writes a move into the database: whole batches, under the rights of one company, or of the machinery where `companyId` is null. */
export interface MoveTarget {
  readonly sourceId: number;
  readonly runId: number;
  inCompany<T>(companyId: number | null, work: (tx: MoveTx) => Promise<T>): Promise<T>;
  saveReport(report: unknown, state: "running" | "finished"): Promise<void>;
  close(): Promise<void>;
}

export interface MoveSource {
  readonly kind: "family" | "archive" | "chat";
  readonly fingerprint: string;
  readonly name: string;
}

/** Any number that nothing else locks. */
const LOCK = 7_305_084;

/**
 * Opens a run of a move. A connection of its own, as the owner who becomes the role of each transaction: the limits of requests would
 * end it. Commits are not awaited by the disk; a crash loses whole batches, together with where they came from. Throws ConfigError while
 * another move runs.
 */
export async function openMove(url: string, source: MoveSource): Promise<MoveTarget> {
  const client = await connect(url);
  try {
    await lockMoves(client);
    await client.query("begin");
    await client.query(`set local role ${SYSTEM_ROLE}`);
    const { rows } = await client.query<{ sourceId: number; runId: number }>(
      `with source as (
         insert into move_sources (kind, fingerprint, name) values ($1, $2, $3)
         on conflict (fingerprint) do update set name = excluded.name returning id)
       insert into move_runs (source_id) select id from source returning source_id as "sourceId", id as "runId"`,
      [source.kind, source.fingerprint, source.name],
    );
    await client.query("commit");
    const run = rows[0];
    if (!run) {
      throw new Error("No run was made");
    }
    return targetOf(client, run);
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** As long as the connection lasts. Throws ConfigError where another one has it: a move, or an undo. */
export async function lockMoves(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>(`select pg_try_advisory_lock($1) as "isFree"`, [LOCK]);
  if (!rows[0]?.isFree) {
    throw new ConfigError("Another move is running.");
  }
}

/** The fingerprint of a source that is known here: of a run, or this one. */
export async function findFingerprint(
  url: string,
  {
    kind,
    ...of
  }: { readonly kind: MoveSource["kind"] } & ({ readonly runId: number } | { readonly fingerprint: string }),
): Promise<string | undefined> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ fingerprint: string }>(
      `select fingerprint from move_sources s where kind = $1
         and (fingerprint = $2 or exists (select from move_runs r where r.source_id = s.id and r.id = $3))`,
      "runId" in of ? [kind, null, of.runId] : [kind, of.fingerprint, null],
    );
    return rows[0]?.fingerprint;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "prosa move" });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set jit = off; set synchronous_commit = off; set timezone = 'UTC'",
  );
  return client;
}

function targetOf(client: pg.Client, { sourceId, runId }: { sourceId: number; runId: number }): MoveTarget {
  return {
    sourceId,
    runId,
    async inCompany(companyId, work) {
      await client.query("begin");
      try {
        await client.query(`set local role ${companyId === null ? SYSTEM_ROLE : APP_ROLE}`);
        await client.query("select set_config('app.company_id', $1, true)", [
          companyId === null ? "" : String(companyId),
        ]);
        const result = await work(txOf(client, { companyId, sourceId, runId }));
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => undefined);
        throw error;
      }
    },
    async saveReport(report, state) {
      await client.query(
        `update move_runs set report = $2, state = $3, finished_at = case $3 when 'finished' then now() end where id = $1`,
        [runId, JSON.stringify(report), state],
      );
    },
    async close() {
      await client.end();
    },
  };
}

interface Scope {
  readonly companyId: number | null;
  readonly sourceId: number;
  readonly runId: number;
}

function txOf(client: pg.Client, scope: Scope): MoveTx {
  return moveTx(
    async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(statement, [...values])).rows,
    scope,
  );
}

/** A move within a transaction of a company: by a job, in batches as small as those of other jobs. */
export function moveTxIn(ctx: Ctx, run: { readonly sourceId: number; readonly runId: number }): MoveTx {
  return moveTx(
    async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await ctx.db.executeQuery(CompiledQuery.raw(statement, [...values]))).rows as Row[],
    { companyId: ctx.companyId, ...run },
  );
}

/** Begins a run of a source, for a job that moves by `moveTxIn`. */
export async function beginMove(
  tx: Pick<SystemTx, "db">,
  { kind, fingerprint, name }: MoveSource,
): Promise<{ readonly sourceId: number; readonly runId: number }> {
  const { rows } = await sql<{ sourceId: number; runId: number }>`
    with source as (
      insert into move_sources (kind, fingerprint, name) values (${kind}, ${fingerprint}, ${name})
      on conflict (fingerprint) do update set name = excluded.name returning id)
    insert into move_runs (source_id) select id from source returning source_id as "sourceId", id as "runId"`.execute(
    tx.db,
  );
  return rows[0]!;
}

/** Forgets where rows of these sources went, up to `limit`: the marks of messages follow from their words. Returns how many. */
export async function forgetMoved(ctx: Ctx, sourceIds: readonly number[], limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from moved_rows where ctid = any (array(
    select ctid from moved_rows where company_id = ${ctx.companyId} and source_id = any(${[...sourceIds]}::int[])
    limit ${limit}))`.execute(ctx.db);
  return Number(numAffectedRows);
}

/** Forgets where these rows went: what became of them is gone, and they may come again. */
export async function forgetMovedRows(
  ctx: Ctx,
  sourceIds: readonly number[],
  entity: string,
  oldIds: readonly string[],
): Promise<void> {
  await sql`delete from moved_rows where company_id = ${ctx.companyId} and source_id = any(${[...sourceIds]}::int[])
    and entity = ${entity} and old_id = any(${[...oldIds]}::text[])`.execute(ctx.db);
}

/** A value that its column does not take, or a rule that the row breaks: it would be so again. */
function isOfRow(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^2[23]/u.test(String(error.code));
}

function moveTx(query: MoveTx["query"], { companyId, sourceId, runId }: Scope): MoveTx {
  // Two conditions: "is not distinct from" uses no index.
  const ofCompany = companyId === null ? "company_id is null and $1::int is null" : "company_id = $1";
  return {
    isDry: false,
    query,
    async reserveIds(table, count) {
      const rows = await query<{ id: string }>("select reserve_ids($1, $2) as id", [table, count]);
      return rows.map(({ id }) => Number(id));
    },
    async insert(table, rows, { key, onRefused } = {}) {
      if (rows.length === 0) {
        return new Set();
      }
      return onRefused ? insertEach(rows, 0, onRefused) : insertAll(rows);

      /** By halves, down to the rows that are refused. Of a table without ids the places are those in all rows. */
      async function insertEach(
        part: readonly NewRow[],
        from: number,
        refuse: (row: NewRow, reason: string) => void,
      ): Promise<ReadonlySet<number>> {
        await query("savepoint before_rows");
        try {
          const inserted = await insertAll(part);
          await query("release savepoint before_rows");
          return key ? new Set([...inserted].map((place) => place + from)) : inserted;
        } catch (error) {
          if (!isOfRow(error)) {
            throw error;
          }
          await query("rollback to savepoint before_rows");
          await query("release savepoint before_rows");
          const [only] = part;
          if (part.length === 1 && only) {
            refuse(only, error.message);
            return new Set();
          }
          const half = Math.ceil(part.length / 2);
          const first = await insertEach(part.slice(0, half), from, refuse);
          return new Set([...first, ...(await insertEach(part.slice(half), from + half, refuse))]);
        }
      }

      async function insertAll(part: readonly NewRow[]): Promise<ReadonlySet<number>> {
        const columns = Object.keys(rows[0] ?? {}).map((column) => pg.escapeIdentifier(column));
        const name = `public.${pg.escapeIdentifier(table)}`;
        const given = `json_populate_recordset(null::${name}, $1::json)`;
        const insert = `insert into ${name} (${columns.join(", ")}) overriding system value select ${columns.join(", ")}`;
        const returned = (key ?? ["id"]).map((column) => pg.escapeIdentifier(column)).join(", ");
        const inserted = await query<{ id: string | number }>(
          key
            ? `with given as materialized (select * from ${given} with ordinality),
               inserted as (${insert} from given order by ordinality on conflict do nothing returning ${returned})
             select min(ordinality) - 1 as id from given join inserted using (${returned}) group by ${returned}`
            : `${insert} from ${given} on conflict do nothing returning ${returned}`,
          [JSON.stringify(part)],
        );
        return new Set(inserted.map(({ id }) => Number(id)));
      }
    },
    async findMoved(entity, oldIds) {
      const rows = await query<{ oldId: string; newId: string }>(
        `select old_id as "oldId", new_id as "newId" from moved_rows
         where ${ofCompany} and source_id = $2 and entity = $3 and old_id = any($4::text[])`,
        [companyId, sourceId, entity, oldIds],
      );
      return new Map(rows.map(({ oldId, newId }) => [oldId, Number(newId)]));
    },
    async findAllMoved(entities) {
      return query(
        `select entity, old_id as "oldId", new_id::float8 as "newId" from moved_rows
         where ${ofCompany} and source_id = $2 and entity = any($3::text[])`,
        [companyId, sourceId, entities],
      );
    },
    async saveMoved(entity, rows) {
      await query(
        `insert into moved_rows (company_id, source_id, entity, old_id, new_id, run_id, is_made)
         select $1, $2, $3, m.old_id, m.new_id, $4, m.is_made
         from unnest($5::text[], $6::bigint[], $7::boolean[]) m (old_id, new_id, is_made)
         on conflict do nothing`,
        [
          companyId,
          sourceId,
          entity,
          runId,
          rows.map(({ oldId }) => oldId),
          rows.map(({ newId }) => newId),
          rows.map(({ isMade }) => isMade),
        ],
      );
    },
  };
}
