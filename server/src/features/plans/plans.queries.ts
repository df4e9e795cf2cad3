import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { PlanRow } from "./plans.tables.ts";

const columns = ["plans.id", "plans.name", "users", "connections", "queues", "value", "flags"] as const;

export async function insertPlan(tx: SystemTx, plan: Omit<PlanRow, "id"> & { is_public: boolean }): Promise<PlanRow> {
  return tx.db
    .insertInto("plans")
    .values(plan)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ name: plan.name }))
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export function findPlanOfCompany(ctx: Ctx): Promise<PlanRow | undefined> {
  return ctx.db
    .selectFrom("companies")
    .innerJoin("plans", "plans.id", "companies.plan_id")
    .select(columns)
    .where("companies.id", "=", ctx.companyId)
    .executeTakeFirst();
}

/** How many of each the company has. Holds the company's row, so that of two who add at once one waits and counts again. */
export async function lockAndCount(ctx: Ctx, what: "users" | "connections" | "queues"): Promise<number> {
  await sql`select from companies where id = ${ctx.companyId} for no key update`.execute(ctx.db);
  const { count } = await ctx.db
    .selectFrom(what)
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
  return count;
}
