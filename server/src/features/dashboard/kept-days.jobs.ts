import { companyLocaleOf } from "#server/features/companies/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cron, JobHandler } from "#server/platform/jobs/index.ts";
import { COMPANIES, foldDays } from "./kept-days.queries.ts";

export const FOLD_TASK = "dashboard.fold-days";

/** Each hour: midnight is at another one in each time zone. */
export const foldCron: Cron = {
  name: FOLD_TASK,
  at: { minute: 10 },
  async run({ db, clock }) {
    await db.systemTx(async (tx) => {
      for (const { companyId } of await tx.raw(COMPANIES, [])) {
        tx.enqueue(companyId, { task: FOLD_TASK, payload: {}, key: "fold", runAt: clock.now(), priority: "bulk" });
      }
    });
  },
};

export const foldCompany: JobHandler = (_job, { inCompany, signal }) => foldCompanyDays(inCompany, signal);

/** Sums the days of a company that are over (decision 0185), a batch a transaction. */
export async function foldCompanyDays(
  inCompany: (work: (ctx: Ctx) => Promise<number>) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  const fold = async (ctx: Ctx) => foldDays(ctx, (await companyLocaleOf(ctx)).timeZone);
  while (signal?.aborted !== true && (await inCompany(fold)) > 0) {}
}
