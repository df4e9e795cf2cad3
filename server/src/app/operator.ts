import { planFlags } from "@prosa/contract";
import type { PlanFlag } from "@prosa/contract";
import { createCompany, firstDueDate } from "#server/features/companies/index.ts";
import { findOrCreatePlan } from "#server/features/plans/index.ts";
import { operatorEmailOf } from "#server/features/users/index.ts";
import type { Db } from "#server/platform/db/index.ts";

export interface NewOperator {
  readonly company: string;
  readonly email: string;
  readonly password: string;
}

export const everyFlag = Object.fromEntries(planFlags.map((flag) => [flag, true])) as Record<PlanFlag, boolean>;
const unlimited = 10_000;

/** The operator's e-mail; undefined if the installation is not set up. */
export function findOperatorEmail(db: Db): Promise<string | undefined> {
  return db.systemTx(operatorEmailOf);
}

/** How the operator's own company pays for the plan that costs nothing: as rarely as there is (decision 0172). */
const ownRecurrence = "ANUAL";

/** Creates the operator with a company and an unlimited plan. Returns false and changes nothing if there is an operator. */
export async function createOperator(db: Db, operator: NewOperator, now = new Date()): Promise<boolean> {
  return db.systemTx(async (tx) => {
    if ((await operatorEmailOf(tx)) !== undefined) {
      return false;
    }
    const plan = await findOrCreatePlan(tx, {
      name: "Operador",
      users: unlimited,
      connections: unlimited,
      queues: unlimited,
      value: 0,
      isPublic: false,
      ...everyFlag,
    });
    await createCompany(tx, {
      name: operator.company,
      email: operator.email,
      planId: plan.id,
      dueDate: firstDueDate(now, ownRecurrence),
      recurrence: ownRecurrence,
      admin: { name: "Operador", email: operator.email, password: operator.password, isSuper: true },
    });
    return true;
  });
}
