import { planFlags } from "@prosa/contract";
import type { PlanFlag } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { createCompany, firstDueDate } from "#server/features/companies/index.ts";
import { findOrCreatePlan } from "#server/features/plans/index.ts";
import { operatorEmailOf } from "#server/features/users/index.ts";
import { recordAuditOf, requestCaller } from "#server/platform/audit/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { deleteSeed, lockSetup } from "./setup.queries.ts";

export interface NewOperator {
  readonly company: string;
  /** Default "Operador". */
  readonly name?: string;
  readonly email: string;
  readonly password: string;
  readonly language?: Language;
}

const everyFlag = Object.fromEntries(planFlags.map((flag) => [flag, true])) as Record<PlanFlag, boolean>;
const unlimited = 10_000;

/** The operator's e-mail; undefined if the installation is not set up. */
export function findOperatorEmail(db: Db): Promise<string | undefined> {
  return db.systemTx(operatorEmailOf);
}

/** How the operator's own company pays for the plan that costs nothing: as rarely as there is (decision 0172). */
const ownRecurrence = "ANUAL";

/**
 * Creates the operator with a company and an unlimited plan, and ends the code of the first page. Returns false and changes nothing if
 * there is an operator, also one that another process creates at the same time. Throws ERR_NAME_TAKEN, ERR_EMAIL_TAKEN.
 */
export async function createOperator(db: Db, operator: NewOperator, now = new Date()): Promise<boolean> {
  return db.systemTx(async (tx) => {
    await lockSetup(tx);
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
    const { companyId } = await createCompany(tx, {
      name: operator.company,
      email: operator.email,
      planId: plan.id,
      dueDate: firstDueDate(now, ownRecurrence),
      recurrence: ownRecurrence,
      ...(operator.language !== undefined && { language: operator.language }),
      admin: {
        name: operator.name ?? "Operador",
        email: operator.email,
        password: operator.password,
        isSuper: true,
      },
    });
    await deleteSeed(tx);
    // Nobody was signed in: from where it came tells whether it was the terminal.
    await recordAuditOf(
      tx,
      { companyId, now, actor: { kind: requestCaller() ? "guest" : "system", name: operator.email } },
      { action: "company.created", target: { type: "company", id: companyId, name: operator.company } },
    );
    return true;
  });
}
