import type { WarmUpStep } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";

/** The plan of the installation, by day. */
export async function findPlan({ db }: Pick<Ctx, "db"> | Pick<SystemTx, "db">): Promise<WarmUpStep[]> {
  const { rows } = await sql<WarmUpStep>`select day, start_limit as "limit" from warm_up_plan order by day`.execute(db);
  return rows;
}

export async function replacePlan(tx: SystemTx, steps: readonly WarmUpStep[]): Promise<void> {
  await sql`delete from warm_up_plan`.execute(tx.db);
  await sql`
    insert into warm_up_plan (day, start_limit)
    select day, "limit" from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as v(day int, "limit" int)`.execute(
    tx.db,
  );
}

/** Ids of the companies that have ever linked a line. */
export async function findCompaniesWithLines(tx: SystemTx): Promise<number[]> {
  const { rows } = await sql<{ companyId: number }>`
    select distinct company_id as "companyId" from connections where linked_at is not null order by company_id`.execute(
    tx.db,
  );
  return rows.map(({ companyId }) => companyId);
}
