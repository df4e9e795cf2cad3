import { eraseRows } from "#server/platform/db/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { eraseSchema } from "./companies.events.ts";
import { deleteCompany, isHidden } from "./companies.queries.ts";

/** Takes away all that a deleted company had: its rows, a few at a time, then itself, then its files. */
export const eraseJob =
  ({ storage }: Services): JobHandler =>
  async ({ payload }, { db, clock, log, signal }) => {
    const { companyId } = eraseSchema.parse(payload);
    if (await db.systemTx((tx) => isHidden(tx, companyId))) {
      const actor = { kind: "system", companyId, reason: "companies.erase" } as const;
      await eraseRows(db, { actor, companyId, clock, log }, signal);
      await db.systemTx((tx) => deleteCompany(tx, companyId));
    }
    // A second run finds no company, and the files that the first did not come to.
    await storage.deleteCompany(companyId);
  };
