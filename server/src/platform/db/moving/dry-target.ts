import pg from "pg";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import type { KnownRow, Moved, MoveSource, MoveTarget, MoveTx } from "./target.ts";

/** Ids of rows that are not written; no sequence comes so far. */
const FIRST_ID = 1_000_000_000;

/** The same move without writing anything: ids are invented, and what earlier runs brought is read. */
export async function openDryMove(url: string, source: MoveSource): Promise<MoveTarget> {
  const client = new pg.Client({ connectionString: url, application_name: "prosa move (dry run)" });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(
    `set default_transaction_read_only = on; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`,
  );
  await client.query(`begin; set local role ${SYSTEM_ROLE}`);
  const { rows } = await client.query<{ id: number }>("select id from move_sources where fingerprint = $1", [
    source.fingerprint,
  ]);
  await client.query("rollback");
  const sourceId = rows[0]?.id ?? 0;
  const invented = new Map<string, Map<string, number>>();
  let next = FIRST_ID;
  return {
    sourceId,
    runId: 0,
    async inCompany(companyId, work) {
      await client.query(`begin; set local role ${companyId === null ? SYSTEM_ROLE : APP_ROLE}`);
      try {
        await client.query("select set_config('app.company_id', $1, true)", [
          companyId === null ? "" : String(companyId),
        ]);
        return await work(txOf({ client, companyId, sourceId, invented, nextId: () => next++ }));
      } finally {
        await client.query("rollback");
      }
    },
    saveReport: async () => undefined,
    close: () => client.end(),
  };
}

interface DryScope {
  readonly client: pg.Client;
  readonly companyId: number | null;
  readonly sourceId: number;
  readonly invented: Map<string, Map<string, number>>;
  readonly nextId: () => number;
}

function txOf({ client, companyId, sourceId, invented, nextId }: DryScope): MoveTx {
  const query: MoveTx["query"] = async <Row extends pg.QueryResultRow>(
    statement: string,
    values: readonly unknown[] = [],
  ) => (await client.query<Row>(statement, [...values])).rows;
  const ofCompany = companyId === null ? "company_id is null and $1::int is null" : "company_id = $1";
  return {
    query: companyId !== null && companyId >= FIRST_ID ? async () => [] : query,
    isDry: true,
    reserveIds: async (_table, count) => Array.from({ length: count }, nextId),
    insert: async (_table, rows, { key } = {}) =>
      new Set(rows.map((row, place) => (key ? place : Number(row["id"] ?? 0)))),
    async findMoved(entity, oldIds) {
      const stored = await query<KnownRow>(
        `select old_id as "oldId", new_id::float8 as "newId" from moved_rows
         where ${ofCompany} and source_id = $2 and entity = $3 and old_id = any($4::text[])`,
        [companyId, sourceId, entity, oldIds],
      );
      const known = new Map(stored.map(({ oldId, newId }) => [oldId, newId]));
      for (const oldId of oldIds) {
        const id = invented.get(entity)?.get(oldId);
        if (id !== undefined) {
          known.set(oldId, id);
        }
      }
      return known;
    },
    findAllMoved: (entities) =>
      query(
        `select entity, old_id as "oldId", new_id::float8 as "newId" from moved_rows
         where ${ofCompany} and source_id = $2 and entity = any($3::text[])`,
        [companyId, sourceId, entities],
      ),
    async saveMoved(entity, rows: readonly Moved[]) {
      const ids = invented.get(entity) ?? new Map<string, number>();
      invented.set(entity, ids);
      rows.forEach(({ oldId, newId }) => ids.set(oldId, newId));
    },
  };
}
