import { sql } from "kysely";
import { namesOneOf } from "../db/index.ts";
import type { SystemTx } from "../db/index.ts";

/** Deletes a company's dead jobs and events that name one of these words; live jobs carry ids, and are left to run. Returns how many. */
export async function deleteTracesInJobsAndEvents(
  tx: SystemTx,
  companyId: number,
  words: readonly string[],
  limit: number,
): Promise<number> {
  const named = namesOneOf(sql`payload::text`, words);
  const { numAffectedRows: jobs = 0n } = await sql`delete from jobs where id in (
    select id from jobs where company_id = ${companyId} and state = 'dead' and ${named} limit ${limit})`.execute(tx.db);
  const { numAffectedRows: events = 0n } = await sql`delete from event_log where (xid, id) in (
    select xid, id from event_log where company_id = ${companyId} and ${named} limit ${limit})`.execute(tx.db);
  return Math.max(Number(jobs), Number(events));
}
