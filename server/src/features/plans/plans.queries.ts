import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { PlanRow } from "./plans.tables.ts";

const columns = ["plans.id", "plans.name", "users", "connections", "queues", "value", "flags"] as const;

/** The columns of a plan that the operator sets. */
export type PlanFields = Omit<PlanRow, "id"> & { readonly is_public: boolean };

const offeredColumns = [
  ...columns,
  "is_public",
  sql<number>`(select count(*) from companies where companies.plan_id = plans.id)::int`.as("companies"),
] as const;

export async function findOrInsertPlan(tx: SystemTx, plan: PlanFields): Promise<PlanRow> {
  return tx.db
    .insertInto("plans")
    .values(plan)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ name: plan.name }))
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export type OfferedPlanRow = PlanRow & { readonly is_public: boolean; readonly companies: number };

/** All plans, each with its number of companies. */
export async function findPlans(tx: SystemTx): Promise<OfferedPlanRow[]> {
  return tx.db
    .selectFrom("plans")
    .select(offeredColumns)
    .orderBy("value")
    .orderBy(sql`folded(plans.name)`)
    .execute();
}

export async function findPlan(tx: SystemTx, id: number): Promise<OfferedPlanRow | undefined> {
  return tx.db.selectFrom("plans").select(offeredColumns).where("plans.id", "=", id).executeTakeFirst();
}

/** Throws where the name is taken. */
export async function insertPlanRow(tx: SystemTx, fields: PlanFields): Promise<number> {
  const { id } = await tx.db.insertInto("plans").values(fields).returning("id").executeTakeFirstOrThrow();
  return id;
}

export async function lockPlan(tx: SystemTx, id: number): Promise<PlanFields | undefined> {
  return tx.db
    .selectFrom("plans")
    .select(["name", "users", "connections", "queues", "value", "flags", "is_public"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** Throws where the name is taken. */
export async function savePlan(tx: SystemTx, id: number, fields: PlanFields): Promise<void> {
  await tx.db.updateTable("plans").set(fields).where("id", "=", id).execute();
}

/** Throws while a company has the plan. */
export async function deletePlan(tx: SystemTx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom("plans").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findCompaniesWith(tx: SystemTx, planId: number): Promise<number[]> {
  const rows = await tx.db.selectFrom("companies").select("id").where("plan_id", "=", planId).execute();
  return rows.map(({ id }) => id);
}

export function findPlanOfCompany(ctx: Ctx): Promise<PlanRow | undefined> {
  return ctx.db
    .selectFrom("companies")
    .innerJoin("plans", "plans.id", "companies.plan_id")
    .select(columns)
    .where("companies.id", "=", ctx.companyId)
    .executeTakeFirst();
}

/** Counts rows of the company. Locks the company's row, so that two concurrent inserts cannot both pass the limit. */
export async function lockAndCount(ctx: Ctx, what: "users" | "connections" | "queues"): Promise<number> {
  await sql`select from companies where id = ${ctx.companyId} for no key update`.execute(ctx.db);
  const { count } = await ctx.db
    .selectFrom(what)
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
  return count;
}
