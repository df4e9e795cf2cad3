import type { CompanyPlan, Recurrence } from "@prosa/contract";
import { createFirstAdmin } from "#server/features/users/index.ts";
import type { FirstAdmin } from "#server/features/users/index.ts";
import { planView } from "#server/features/plans/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { Cached, Db, SystemTx } from "#server/platform/db/index.ts";
import { companyEvent } from "./companies.events.ts";
import { findCompanyClock, findCompanyPlan, insertCompany } from "./companies.queries.ts";
import type { CompanyClock } from "./companies.queries.ts";

export interface NewCompany {
  readonly name: string;
  readonly email: string | null;
  readonly phone?: string;
  readonly planId: number;
  /** The last day that is paid for, in the company's time zone; null never ends. */
  readonly dueDate: string | null;
  readonly trialExpiration?: Date | null;
  readonly recurrence?: Recurrence;
  readonly timeZone?: string;
  readonly language?: "pt" | "en" | "es";
  readonly admin: FirstAdmin;
}

const companyClock: Cached<CompanyClock> = {
  name: "company clock",
  staleAfter: ["company.updated"],
  load: async (ctx) => (await findCompanyClock(ctx)) ?? { timeZone: "America/Sao_Paulo", language: "pt" },
};

/** Makes a company and its first admin. Throws ERR_NAME_TAKEN. */
export async function createCompany(
  tx: SystemTx,
  company: NewCompany,
): Promise<{ companyId: number; adminId: number }> {
  const companyId = await insertCompany(tx, {
    name: company.name,
    email: company.email,
    phone: company.phone ?? "",
    plan_id: company.planId,
    due_date: company.dueDate,
    trial_expiration: company.trialExpiration ?? null,
    recurrence: company.recurrence ?? "MENSAL",
    time_zone: company.timeZone ?? "America/Sao_Paulo",
    language: company.language ?? "pt",
  });
  if (companyId === undefined) {
    throw new AppError("ERR_NAME_TAKEN", { name: company.name });
  }

  const adminId = await createFirstAdmin(tx, companyId, company.admin);
  tx.emit(companyId, companyEvent("created", companyId));
  return { companyId, adminId };
}

/** The company's time zone and language. From memory: cheap enough for every message. */
export function companyClockOf(ctx: Ctx): Promise<CompanyClock> {
  return ctx.cached(companyClock);
}

/** A company with its plan: one's own, or any for the operator; for everybody else there is no such company. */
export async function getCompanyPlan(db: Db, actor: Actor, companyId: number): Promise<CompanyPlan> {
  const isOperator = actor.kind === "user" && actor.isSuper;
  const row =
    isOperator || actor.companyId === companyId ? await db.systemTx((tx) => findCompanyPlan(tx, companyId)) : undefined;
  if (!row) {
    throw new AppError("ERR_NOT_FOUND");
  }
  return { id: row.id, name: row.name, dueDate: row.due_date, plan: row.plan && planView(row.plan) };
}
