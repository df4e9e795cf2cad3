import type { ScheduleDay } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { PlanRow } from "#server/features/plans/index.ts";
import type {} from "./companies.tables.ts";

export interface CompanyFields {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string;
  readonly plan_id: number;
  readonly due_date: string | null;
  readonly trial_expiration: Date | null;
  readonly recurrence: string;
  readonly time_zone: string;
  readonly language: "pt" | "en" | "es";
}

/** Undefined when the name is taken. */
export async function insertCompany(tx: SystemTx, fields: CompanyFields): Promise<number | undefined> {
  const row = await tx.db
    .insertInto("companies")
    .values(fields)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export interface CompanyPlanRow {
  readonly id: number;
  readonly name: string;
  readonly due_date: string | null;
  readonly plan: PlanRow | null;
}

/** As the machinery sees it: the operator may ask for any company. */
export async function findCompanyPlan(tx: SystemTx, companyId: number): Promise<CompanyPlanRow | undefined> {
  return tx.db
    .selectFrom("companies")
    .leftJoin("plans", "plans.id", "companies.plan_id")
    .select([
      "companies.id",
      "companies.name",
      "due_date",
      sql<PlanRow | null>`case when plans.id is not null then to_json(plans) end`.as("plan"),
    ])
    .where("companies.id", "=", companyId)
    .executeTakeFirst();
}

/** What a company says of itself; schedules are null until somebody saves some. */
export interface CompanyProfileRow {
  readonly id: number;
  readonly name: string;
  readonly timeZone: string;
  readonly language: "pt" | "en" | "es";
  readonly schedules: ScheduleDay[] | null;
}

export async function findCompanyProfile(ctx: Ctx): Promise<CompanyProfileRow> {
  return ctx.db
    .selectFrom("companies")
    .select(["id", "name", "time_zone as timeZone", "language", "schedules"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}

export async function saveCompany(
  ctx: Ctx,
  fields: Partial<{ time_zone: string; language: "pt" | "en" | "es"; schedules: string }>,
): Promise<void> {
  await ctx.db.updateTable("companies").set(fields).where("id", "=", ctx.companyId).execute();
}

export interface CompanyClock {
  readonly timeZone: string;
  readonly language: "pt" | "en" | "es";
}

export async function findCompanyClock(ctx: Ctx): Promise<CompanyClock | undefined> {
  return ctx.db
    .selectFrom("companies")
    .select(["time_zone as timeZone", "language"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirst();
}

/** Every company of the installation, the oldest first. */
export async function findCompanies(tx: SystemTx): Promise<{ id: number; name: string }[]> {
  return tx.db.selectFrom("companies").select(["id", "name"]).orderBy("id").execute();
}

/** With all that it has. Its files and its jobs are not among it. */
export async function deleteCompany(tx: SystemTx, id: number): Promise<void> {
  await tx.db.deleteFrom("companies").where("id", "=", id).execute();
}
