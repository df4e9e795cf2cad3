import { daysBetween, dueDayOf, pageSize, wallClockOf } from "@prosa/contract";
import type { CompanyChanges, CompanyDetails, CompanyRecord, NewCompanyBody } from "@prosa/contract";
import { endSessionsOfCompany } from "#server/features/auth/index.ts";
import { saveCampaignsEnabled } from "#server/features/settings/index.ts";
import { requireOperator } from "#server/features/users/index.ts";
import { changedFields, recordAuditOf } from "#server/platform/audit/index.ts";
import { newSecret, withToken } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { emitCompaniesChanged } from "./companies-changed.ts";
import { companyEvent, eraseCompany } from "./companies.events.ts";
import {
  updateCompanyRow,
  findCompany,
  findEveryCompany,
  hasPaidInvoiceOf,
  softDeleteCompany,
  lockCompany,
  searchCompanies,
} from "./companies.queries.ts";
import type { CompanyRow, CompanyUpdate } from "./companies.queries.ts";
import { createCompany, defaultTimeZone } from "./companies.service.ts";
import { accountColumnsOf, tokenError } from "./company-account.ts";
import { companyDetailsView, companyView, supportOf } from "./companies.view.ts";

/** Of a company's name (specification 1, section 5). */
const maxNameLetters = 50;

/** The operator's verbs on companies, in system transactions, because they reach every company (Y-01). */

export async function listCompanies(
  { db, now }: Pick<Operator, "db" | "now">,
  query: { searchParam: string; pageNumber: number },
) {
  const { rows, count } = await db.systemTx((tx) => searchCompanies(tx, { ...query, now }));
  const companies = rows.map((row) => ({ ...companyView(row), support: supportOf(row) }));
  return { companies, count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function listEveryCompany(db: Db): Promise<CompanyRecord[]> {
  return (await db.systemTx(findEveryCompany)).map(companyView);
}

export async function getAnyCompany(db: Db, id: number): Promise<CompanyDetails> {
  const row = await db.systemTx((tx) => findCompany(tx, id));
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { companyId: id });
  }
  return companyDetailsView(row);
}

/**
 * Adds a company and its first admin, who signs in with its e-mail; without a password one is made and returned, this once.
 * Throws ERR_NAME_TAKEN, ERR_EMAIL_TAKEN.
 */
export async function addCompany(
  tx: SystemTx,
  { now }: Pick<Operator, "now">,
  body: NewCompanyBody,
): Promise<CompanyRecord & { readonly adminPassword?: string }> {
  const { email, phone, planId, dueDate, recurrence, isTrial } = body;
  const name = body.name === "" ? email.slice(0, maxNameLetters) : body.name;
  const password = body.password === "" ? newSecret() : body.password;
  const { companyId } = await mapConstraintErrors(() =>
    createCompany(tx, {
      name,
      email,
      phone,
      planId,
      dueDate,
      recurrence,
      trialExpiration: isTrial ? trialEnd(dueDate, defaultTimeZone, now) : null,
      admin: { name: "Admin", email, password, isSuper: false },
    }),
  );
  await mapConstraintErrors(() =>
    updateCompanyRow(tx, companyId, { is_active: body.status, ...accountColumnsOf(body) }),
  );
  await saveCampaignsEnabled(tx, companyId, body.campaignsEnabled);
  await recordAuditOf(tx, { companyId, now }, { action: "company.created", target: companyTarget(companyId, name) });
  await emitCompaniesChanged(tx);
  const company = withToken(await companyById(tx, companyId), body.token);
  return body.password === "" ? { ...company, adminPassword: password } : company;
}

/** Changes a company. Deactivating it ends all of its sessions at once. Throws ERR_NAME_TAKEN, ERR_DUE_DATE_PAID. */
export async function updateCompany(
  { db, ownId, userId, now }: Operator,
  id: number,
  changes: CompanyChanges,
): Promise<CompanyRecord> {
  return db.systemTx(async (tx) => {
    await lockCompanyOrThrow(tx, id);
    const row = await rowById(tx, id);
    const before = companyView(row);
    if (changes.status === false) {
      refuseOwnCompany(id, ownId);
      await requireOperator(tx, userId);
    }
    await refusePaidDueDate(tx, before, changes);
    const columns = {
      ...columnsOf(changes),
      ...dueDateOf(row, changes),
      ...trialOf(row, changes, now),
      ...accountColumnsOf(changes),
    };
    await mapConstraintErrors(() => updateCompanyRow(tx, id, columns));
    if (changes.campaignsEnabled !== undefined) {
      await saveCampaignsEnabled(tx, id, changes.campaignsEnabled);
    }
    if (changes.status === false && before.status) {
      await endSessionsOfCompany(tx, id, now);
    }
    // What became of the trial, which a due date alone may end.
    const isTrial = "trial_expiration" in columns ? columns.trial_expiration !== null : undefined;
    await recordUpdate(tx, { companyId: id, now }, before, { ...changes, isTrial });
    tx.emit(id, companyEvent("updated", id));
    await emitCompaniesChanged(tx);
    return withToken(await companyById(tx, id), changes.token);
  });
}

/** Soft-deletes a company and ends its sessions; a job erases its data. */
export async function removeCompany({ db, ownId, userId, now }: Operator, id: number): Promise<void> {
  await db.systemTx(async (tx) => {
    await lockCompanyOrThrow(tx, id);
    const { name } = await companyById(tx, id);
    refuseOwnCompany(id, ownId);
    await requireOperator(tx, userId);
    // Its own log is erased with it: what stays is in the operator's.
    await recordAuditOf(tx, { companyId: ownId, now }, { action: "company.deleted", target: companyTarget(id, name) });
    await deleteWithJob(tx, id, now);
    await emitCompaniesChanged(tx);
  });
}

/** Soft-deletes a company, ends its sessions, and has a job erase its data. */
export async function deleteWithJob(tx: SystemTx, id: number, now: Date): Promise<void> {
  await softDeleteCompany(tx, id, now);
  await endSessionsOfCompany(tx, id, now);
  tx.emit(id, companyEvent("deleted", id));
  tx.enqueue(null, eraseCompany(id));
}

/** The acting operator, and the time. */
export interface Operator {
  readonly db: Db;
  readonly ownId: number;
  readonly userId: number;
  readonly now: Date;
}

function companyTarget(id: number, name: string) {
  return { type: "company", id, name } as const;
}

async function recordUpdate(
  tx: SystemTx,
  scope: { readonly companyId: number; readonly now: Date },
  before: CompanyRecord,
  changes: CompanyChanges,
): Promise<void> {
  const { status, planId, dueDate, recurrence, isTrial, ...others } = changes;
  const target = companyTarget(before.id, before.name);
  if (status !== undefined && status !== before.status) {
    await recordAuditOf(tx, scope, { action: status ? "company.enabled" : "company.disabled", target });
  }
  const details = changedFields({ ...before }, others, ["token"]);
  if (details) {
    await recordAuditOf(tx, scope, { action: "company.updated", target, details });
  }
  const subscribed = changedFields({ ...before }, { planId, dueDate, recurrence, isTrial });
  if (subscribed) {
    await recordAuditOf(tx, scope, { action: "subscription.updated", target, details: subscribed });
  }
}

function columnsOf({ name, email, phone, planId, status, recurrence }: CompanyChanges): CompanyUpdate {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(planId !== undefined && { plan_id: planId }),
    ...(status !== undefined && { is_active: status }),
    ...(recurrence !== undefined && { recurrence }),
  };
}

/** A due date of the last day of a month stands for the day that the company had: a month after January 31 is March 31 next. */
function dueDateOf({ due_date: before, due_day: stored }: CompanyRow, { dueDate }: CompanyChanges): CompanyUpdate {
  if (dueDate === undefined) {
    return {};
  }
  return { due_date: dueDate, due_day: before === null || dueDate === null ? null : dueDayOf(before, stored) };
}

/**
 * A trial that the operator extends, shortens, begins or ends. Its end follows the due date; a due date that is set without a word
 * about the trial ends it, as a payment does (decision 0273).
 */
function trialOf(row: CompanyRow, { dueDate, isTrial }: CompanyChanges, now: Date): CompanyUpdate {
  const day = dueDate === undefined ? row.due_date : dueDate;
  const isMoved = day !== row.due_date;
  const goesOn = isTrial ?? (row.trial_expiration !== null && !isMoved);
  if (!isMoved && goesOn === (row.trial_expiration !== null)) {
    return {};
  }
  return { trial_expiration: goesOn ? trialEnd(day, row.time_zone, now) : null };
}

/** On that day in the company's calendar, at this hour, so that as many days are left as the calendar says; none without a day. */
function trialEnd(dueDate: string | null, timeZone: string, now: Date): Date | null {
  const days = dueDate === null ? null : daysBetween(wallClockOf(now, timeZone).slice(0, 10), dueDate);
  return days === null ? null : new Date(now.getTime() + days * 86_400_000);
}

/**
 * A due date whose invoice is paid cannot come back by hand: the company would owe that period with no invoice to pay it by. A
 * payment that is returned opens the invoice again, and moves the date by itself.
 */
async function refusePaidDueDate(tx: SystemTx, before: CompanyRecord, { dueDate }: CompanyChanges): Promise<void> {
  if (dueDate && dueDate !== before.dueDate && (await hasPaidInvoiceOf(tx, before.id, dueDate))) {
    throw new AppError("ERR_DUE_DATE_PAID", { dueDate });
  }
}

/** The operator's own company cannot be deleted or deactivated: without it nobody could administer the others. */
function refuseOwnCompany(id: number, ownId: number): void {
  if (id === ownId) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

async function lockCompanyOrThrow(tx: SystemTx, id: number) {
  const row = await lockCompany(tx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { companyId: id });
  }
  return row;
}

async function companyById(tx: SystemTx, id: number): Promise<CompanyRecord> {
  return companyView(await rowById(tx, id));
}

async function rowById(tx: SystemTx, id: number): Promise<CompanyRow> {
  const row = await findCompany(tx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { companyId: id });
  }
  return row;
}

async function mapConstraintErrors<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "companies_plan_id_fkey":
        throw new AppError("ERR_VALIDATION", { fields: { planId: "Required" } }, { cause: error });
      case "companies_name_key":
        throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
      default:
        throw tokenError(error) ?? error;
    }
  }
}
