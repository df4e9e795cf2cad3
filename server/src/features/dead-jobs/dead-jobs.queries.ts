import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { Db } from "#server/platform/db/index.ts";

export interface DeadJobRow {
  readonly id: number;
  readonly task: string;
  readonly companyId: number | null;
  readonly companyName: string | null;
  readonly lane: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly diedAt: Date;
}

/** A page of the dead jobs of all companies, the latest first, and their number. */
export async function findDeadJobs(
  db: Db,
  pageNumber: number,
): Promise<{ readonly rows: DeadJobRow[]; readonly count: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<DeadJobRow>`select j.id, j.task, j.company_id as "companyId", c.name as "companyName", j.lane, j.attempts,
        j.last_error as "lastError", j.died_at as "diedAt"
      from jobs j left join companies c on c.id = j.company_id
      where j.state = 'dead' order by j.died_at desc, j.id desc
      limit ${pageSize.others} offset ${(pageNumber - 1) * pageSize.others}`.execute(db.system),
    sql<{ count: number }>`select count(*) as count from jobs where state = 'dead'`.execute(db.system),
  ]);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}
