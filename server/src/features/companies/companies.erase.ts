import { eraseRows } from "#server/platform/db/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { eraseCompanySchema } from "./companies.events.ts";
import { deleteCompany, lockDeleted } from "./companies.queries.ts";

/** Job that erases a deleted company: its rows in small batches, then the company, then its files. */
export const eraseJob =
  ({ storage }: Services): JobHandler =>
  async ({ payload }, { db, clock, log, signal }) => {
    const { companyId } = eraseCompanySchema.parse(payload);
    if (await db.systemTx((tx) => lockDeleted(tx, companyId))) {
      const actor = { kind: "system", companyId, reason: "companies.erase" } as const;
      await eraseRows(db, { actor, companyId, clock, log }, signal);
      await db.systemTx((tx) => deleteCompany(tx, companyId));
    }
    // Outside of the condition: a retry finds no company, but perhaps files that the first run did not reach.
    await storage.deleteCompany(companyId);
  };
