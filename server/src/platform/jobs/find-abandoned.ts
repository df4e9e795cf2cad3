import { sql } from "kysely";
import type { Db } from "../db/index.ts";

export interface AbandonableWork {
  /** Of rows with `company_id`, `id` and `state` that a job works through. */
  readonly table: string;
  /** Those of a row that is not over yet. */
  readonly openStates: readonly string[];
  readonly task: string;
  /** Where the payload of the task names the row. */
  readonly payloadKey: string;
}

/** Open rows of all companies whose job is gone: it died with its process at every attempt. Nothing else would ever end them. */
export async function findAbandoned(
  db: Db,
  { table, openStates, task, payloadKey }: AbandonableWork,
): Promise<{ readonly companyId: number; readonly id: number }[]> {
  const { rows } = await sql<{ companyId: number; id: number }>`
    select w.company_id as "companyId", w.id from ${sql.table(table)} w
    where w.state = any(${openStates}::text[]) and not exists (
      select from jobs j where j.company_id = w.company_id and j.task = ${task} and j.state = 'live'
        and (j.payload ->> ${sql.lit(payloadKey)})::int = w.id)`.execute(db.system);
  return rows;
}
