import { planFlags } from "@prosa/contract";
import type { PlanFlag } from "@prosa/contract";
import { createCompany } from "#server/features/companies/index.ts";
import { findOrCreatePlan } from "#server/features/plans/index.ts";
import type { Db } from "#server/platform/db/index.ts";

export interface CompanyCredentials {
  readonly companyId: number;
  readonly email: string;
  readonly password: string;
}

/** Creates a company with an admin in the database of a server process; everything else goes over HTTP. */
export async function makeCompany(db: Db, name: string): Promise<CompanyCredentials> {
  const flags = Object.fromEntries(planFlags.map((flag) => [flag, true])) as Record<PlanFlag, boolean>;
  const admin = { name: "Ana", email: `${name}@example.com`, password: "prosa123" };
  const { companyId } = await db.systemTx(async (tx) => {
    const limits = { users: 1_000, connections: 1_000, queues: 100 };
    const plan = await findOrCreatePlan(tx, { name, ...limits, value: 0, isPublic: false, ...flags });
    return createCompany(tx, {
      name,
      email: null,
      planId: plan.id,
      dueDate: null,
      admin: { ...admin, isSuper: false },
    });
  });
  return { companyId, email: admin.email, password: admin.password };
}
