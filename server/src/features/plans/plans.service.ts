import type { BodyOf, OfferedPlan, Plan, PlanBody, plans } from "@prosa/contract";
import { changedFields, recordAuditOf, requestCaller } from "#server/platform/audit/index.ts";
import type { AuditEntry } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Cached, Db, SystemTx } from "#server/platform/db/index.ts";
import {
  insertPlanRow,
  deletePlan,
  findCompaniesWith,
  findPlan,
  findPlanOfCompany,
  findPlans,
  findOrInsertPlan,
  lockAndCount,
  lockPlan,
  savePlan,
} from "./plans.queries.ts";
import type { PlanFields } from "./plans.queries.ts";
import { allFlags, offeredPlanView, planView } from "./plans.view.ts";

export interface NewPlan extends Omit<Plan, "id"> {
  /** Is it shown to visitors of the sign-up? */
  readonly isPublic: boolean;
}

const planOfCompany: Cached<Plan | null> = {
  name: "plan",
  staleAfter: ["company.updated", "plan.updated"],
  async load(ctx) {
    const row = await findPlanOfCompany(ctx);
    return row ? planView(row) : null;
  },
};

/** Creates the plan, or returns the one that has this name. */
export async function findOrCreatePlan(tx: SystemTx, plan: NewPlan): Promise<Plan> {
  return planView(await findOrInsertPlan(tx, fieldsOf(plan)));
}

/** Every plan, for the operator. */
export async function listPlans(db: Db): Promise<OfferedPlan[]> {
  return db.systemTx(async (tx) => (await findPlans(tx)).map(offeredPlanView));
}

/** The plans that a visitor may choose from, without the operator's fields. */
export async function listPublicPlans(db: Db): Promise<Plan[]> {
  const rows = await db.systemTx(findPlans);
  return rows.filter((row) => row.is_public).map(planView);
}

export async function getPlan(db: Db, id: number): Promise<OfferedPlan> {
  return db.systemTx((tx) => planById(tx, id));
}

/** Creates a plan. Throws ERR_NAME_TAKEN. */
export async function addPlan(tx: SystemTx, body: PlanBody): Promise<OfferedPlan> {
  const id = await mapConstraintErrors(() => insertPlanRow(tx, fieldsOf(body)));
  await recordPlan(tx, "plan.created", { id, name: body.name });
  return planById(tx, id);
}

/** Changes a plan, and emits `plan.updated` in every company that has it, so that the change holds at once. Throws ERR_NAME_TAKEN. */
export async function changePlan(db: Db, id: number, changes: BodyOf<typeof plans.update>): Promise<OfferedPlan> {
  return db.systemTx(async (tx) => {
    const known = await lockPlan(tx, id);
    if (!known) {
      throw notFound(id);
    }
    const next = changed(known, changes);
    await mapConstraintErrors(() => savePlan(tx, id, next));
    const details = changedFields({ ...known }, { ...next });
    if (details) {
      await recordPlan(tx, "plan.updated", { id, name: next.name }, details);
    }
    for (const companyId of await findCompaniesWith(tx, id)) {
      tx.emit(companyId, { type: "plan.updated", payload: { planId: id } });
    }
    return planById(tx, id);
  });
}

/** Deletes a plan. Throws ERR_IN_USE while a company has it (Y-02). */
export async function removePlan(db: Db, id: number): Promise<void> {
  try {
    await db.systemTx(async (tx) => {
      const { name } = await planById(tx, id);
      if (!(await deletePlan(tx, id))) {
        throw notFound(id);
      }
      await recordPlan(tx, "plan.deleted", { id, name });
    });
  } catch (error) {
    if (brokenConstraint(error) === "companies_plan_id_fkey") {
      throw new AppError("ERR_IN_USE", { planId: id }, { cause: error });
    }
    throw error;
  }
}

/** In the log of the operator's company: a plan belongs to none. */
async function recordPlan(
  tx: SystemTx,
  action: AuditEntry["action"],
  plan: { readonly id: number; readonly name: string },
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const companyId = requestCaller()?.actor?.companyId;
  if (companyId !== undefined) {
    const scope = { companyId, now: new Date() };
    await recordAuditOf(tx, scope, { action, target: { type: "plan", ...plan }, details });
  }
}

export function planOf(ctx: Ctx): Promise<Plan | null> {
  return ctx.cached(planOfCompany);
}

/** Throws ERR_PLAN_LIMIT where the company has as many as its plan allows (Y-05). Without a plan the limit is 0. */
export async function checkPlanLimit(ctx: Ctx, what: "users" | "connections" | "queues"): Promise<void> {
  const [plan, count] = await Promise.all([planOf(ctx), lockAndCount(ctx, what)]);
  const limit = plan?.[what] ?? 0;
  if (count >= limit) {
    throw new AppError("ERR_PLAN_LIMIT", { what, limit });
  }
}

async function planById(tx: SystemTx, id: number): Promise<OfferedPlan> {
  const row = await findPlan(tx, id);
  if (!row) {
    throw notFound(id);
  }
  return offeredPlanView(row);
}

function fieldsOf(plan: NewPlan): PlanFields {
  const { name, users, connections, queues, value, isPublic } = plan;
  return { name, users, connections, queues, value, is_public: isPublic, flags: allFlags(plan) };
}

/** Fields that the changes do not hold keep their value. */
function changed(known: PlanFields, changes: BodyOf<typeof plans.update>): PlanFields {
  const before: PlanBody = { ...known, ...allFlags(known.flags), isPublic: known.is_public };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return fieldsOf({ ...before, ...(Object.fromEntries(given) as Partial<PlanBody>) });
}

async function mapConstraintErrors<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "plans_name_key") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}

function notFound(planId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { planId });
}
