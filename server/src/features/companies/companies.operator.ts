import { pageSize } from "@prosa/contract";
import type { CompanyBody, CompanyChanges, CompanyRecord } from "@prosa/contract";
import { endSessionsOfCompany } from "#server/features/auth/index.ts";
import { saveCampaignsEnabled } from "#server/features/settings/index.ts";
import { mustBeOperator, operatorsOf } from "#server/features/users/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { companiesChanged, companyEvent, eraseCompany } from "./companies.events.ts";
import {
  changeCompany,
  findCompany,
  findEveryCompany,
  hideCompany,
  lockCompany,
  searchCompanies,
} from "./companies.queries.ts";
import type { CompanyWish } from "./companies.queries.ts";
import { createCompany } from "./companies.service.ts";
import { companyView } from "./companies.view.ts";

/** What the operator does with companies: over all of them, so as the machinery (Y-01). */

export async function listCompanies(db: Db, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await db.systemTx((tx) => searchCompanies(tx, query));
  return { companies: rows.map(companyView), count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function listEveryCompany(db: Db): Promise<CompanyRecord[]> {
  return (await db.systemTx(findEveryCompany)).map(companyView);
}

/** Adds a company and its first admin, who signs in with its e-mail. Throws ERR_NAME_TAKEN, ERR_EMAIL_TAKEN. */
export async function addCompany(db: Db, body: CompanyBody): Promise<CompanyRecord> {
  const { name, email, phone, planId, dueDate, recurrence, password } = body;
  return db.systemTx(async (tx) => {
    const { companyId } = await withPlan(() =>
      createCompany(tx, {
        name,
        email,
        phone,
        planId,
        dueDate,
        recurrence,
        admin: { name: "Admin", email, password, isSuper: false },
      }),
    );
    await changeCompany(tx, companyId, { is_active: body.status });
    await saveCampaignsEnabled(tx, companyId, body.campaignsEnabled);
    await tellOperators(tx);
    return companyById(tx, companyId);
  });
}

/** Changes a company. Switched off, everybody of it is out at once. Throws ERR_NAME_TAKEN. */
export async function updateCompany(
  { db, ownId, userId, now }: Operator,
  id: number,
  changes: CompanyChanges,
): Promise<CompanyRecord> {
  return db.systemTx(async (tx) => {
    const before = await mustLock(tx, id);
    if (changes.status === false) {
      refuseOwn(id, ownId);
      await mustBeOperator(tx, userId);
    }
    await withPlan(() => changeCompany(tx, id, wishOf(changes)));
    if (changes.campaignsEnabled !== undefined) {
      await saveCampaignsEnabled(tx, id, changes.campaignsEnabled);
    }
    if (changes.status === false && before.is_active) {
      await endSessionsOfCompany(tx, id, now);
    }
    tx.emit(id, companyEvent("updated", id));
    await tellOperators(tx);
    return companyById(tx, id);
  });
}

/** Nobody finds the company any more, and nobody of it is signed in; what it had goes by and by. */
export async function removeCompany({ db, ownId, userId, now }: Operator, id: number): Promise<void> {
  await db.systemTx(async (tx) => {
    await mustLock(tx, id);
    refuseOwn(id, ownId);
    await mustBeOperator(tx, userId);
    await hideCompany(tx, id, now);
    await endSessionsOfCompany(tx, id, now);
    tx.emit(id, companyEvent("deleted", id));
    tx.enqueue(null, eraseCompany(id));
    await tellOperators(tx);
  });
}

/** Who acts, and when. */
export interface Operator {
  readonly db: Db;
  readonly ownId: number;
  readonly userId: number;
  readonly now: Date;
}

function wishOf({ name, email, phone, planId, status, dueDate, recurrence }: CompanyChanges): CompanyWish {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(planId !== undefined && { plan_id: planId }),
    ...(status !== undefined && { is_active: status }),
    ...(dueDate !== undefined && { due_date: dueDate }),
    ...(recurrence !== undefined && { recurrence }),
  };
}

/** The operator's own company stays: without it nobody could administer the others. */
function refuseOwn(id: number, ownId: number): void {
  if (id === ownId) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

async function mustLock(tx: SystemTx, id: number) {
  const row = await lockCompany(tx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { companyId: id });
  }
  return row;
}

async function companyById(tx: SystemTx, id: number): Promise<CompanyRecord> {
  const row = await findCompany(tx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { companyId: id });
  }
  return companyView(row);
}

async function withPlan<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "companies_plan_id_fkey":
        throw new AppError("ERR_VALIDATION", { fields: { planId: "Required" } }, { cause: error });
      case "companies_name_key":
        throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
      default:
        throw error;
    }
  }
}

/** Operators may be of several companies: each hears of it in their own. */
async function tellOperators(tx: SystemTx): Promise<void> {
  const byCompany = Map.groupBy(await operatorsOf(tx), ({ companyId }) => companyId);
  for (const [companyId, operators] of byCompany) {
    tx.emit(companyId, companiesChanged(operators.map(({ id }) => id)));
  }
}
