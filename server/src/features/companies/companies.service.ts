import { addMonths, recurrenceMonths, wallClockOf } from "@prosa/contract";
import type { CompanyPlan, Recurrence } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { createFirstAdmin } from "#server/features/users/index.ts";
import type { FirstAdmin } from "#server/features/users/index.ts";
import { planView } from "#server/features/plans/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { Cached, Db, SystemTx } from "#server/platform/db/index.ts";
import { emitCompaniesChanged } from "./companies-changed.ts";
import { companyEvent } from "./companies.events.ts";
import {
  findCompanies,
  findCompanyLocale,
  findCompanyPlan,
  insertCompany,
  postponeDueDate,
  updateCompanyRow,
} from "./companies.queries.ts";
import type { CompanyLocale } from "#server/platform/auth/index.ts";

export interface NewCompany {
  readonly name: string;
  readonly email: string | null;
  readonly phone?: string;
  readonly planId: number;
  /** The last paid day, in the company's time zone; null: never ends. */
  readonly dueDate: string | null;
  readonly trialExpiration?: Date | null;
  readonly recurrence?: Recurrence;
  readonly timeZone?: string;
  readonly language?: Language;
  readonly admin: FirstAdmin;
}

/** Of a company that names none. */
export const defaultTimeZone = "America/Sao_Paulo";

const companyLocale: Cached<CompanyLocale> = {
  name: "company locale",
  staleAfter: ["company.updated"],
  load: async (ctx) => (await findCompanyLocale(ctx)) ?? { timeZone: defaultTimeZone, language: "pt" },
};

/** The due date of a company that begins now and has paid for one interval. */
export function firstDueDate(now: Date, recurrence: Recurrence, timeZone = defaultTimeZone): string {
  return addMonths(wallClockOf(now, timeZone).slice(0, 10), recurrenceMonths[recurrence]);
}

/** Creates a company and its first admin. Throws ERR_NAME_TAKEN. */
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
    time_zone: company.timeZone ?? defaultTimeZone,
    language: company.language ?? "pt",
  });
  if (companyId === undefined) {
    throw new AppError("ERR_NAME_TAKEN", { name: company.name });
  }

  const adminId = await createFirstAdmin(tx, companyId, company.admin);
  tx.emit(companyId, companyEvent("created", companyId));
  return { companyId, adminId };
}

/** Renews a company whose due date is less than half a year ahead for a year. One without a due date keeps none. */
export async function renewForAYear(tx: SystemTx, name: string, now: Date): Promise<void> {
  const earliest = firstDueDate(now, "SEMESTRAL");
  const companyId = await postponeDueDate(tx, name, { earliest, dueDate: firstDueDate(now, "ANUAL") });
  if (companyId !== undefined) {
    tx.emit(companyId, companyEvent("updated", companyId));
  }
}

/** Saves the due date that a payment has bought, which ends a trial; the company is served at once. `dueDay`: see `dueDayOf`. */
export async function extendDueDate(
  tx: SystemTx,
  companyId: number,
  { dueDate, dueDay }: { readonly dueDate: string; readonly dueDay: number | null },
): Promise<void> {
  await updateCompanyRow(tx, companyId, { due_date: dueDate, due_day: dueDay, trial_expiration: null });
  tx.emit(companyId, companyEvent("updated", companyId));
  await emitCompaniesChanged(tx);
}

/** The end of what is paid goes back: a payment was returned. */
export async function moveDueDate(tx: SystemTx, companyId: number, dueDate: string): Promise<void> {
  await updateCompanyRow(tx, companyId, { due_date: dueDate });
  tx.emit(companyId, companyEvent("updated", companyId));
  await emitCompaniesChanged(tx);
}

/** Tells every company that what closes it has changed: the operator's grace period. */
export async function publishClosingChanged(tx: SystemTx): Promise<void> {
  for (const { id } of await findCompanies(tx)) {
    tx.emit(id, companyEvent("updated", id));
  }
}

/** The company's time zone and language; cached, so cheap enough for every message. */
export function companyLocaleOf(ctx: Ctx): Promise<CompanyLocale> {
  return ctx.cached(companyLocale);
}

/** A company with its plan: the actor's own, or any for the operator; ERR_NOT_FOUND otherwise. */
export async function getCompanyPlan(db: Db, actor: Actor, companyId: number): Promise<CompanyPlan> {
  const isOperator = actor.kind === "user" && actor.isSuper;
  const row =
    isOperator || actor.companyId === companyId ? await db.systemTx((tx) => findCompanyPlan(tx, companyId)) : undefined;
  if (!row) {
    throw new AppError("ERR_NOT_FOUND");
  }
  return { id: row.id, name: row.name, dueDate: row.due_date, plan: row.plan && planView(row.plan) };
}
