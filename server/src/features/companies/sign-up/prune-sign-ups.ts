import { listOperators } from "#server/features/users/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { emitCompaniesChanged } from "../companies-changed.ts";
import { deleteWithJob } from "../companies.operator.ts";
import { findCompany } from "../companies.queries.ts";
import { findUnconfirmedSignUps } from "./sign-up.queries.ts";

/** Days for which a sign-up waits for its confirmation after the last link; each sign-in with the right password mails another. */
const keptDays = 14;

/** Each night: deletes companies that nobody ever entered, where e-mails are confirmed. */
export const pruneSignUpsCron = ({ config }: Pick<Services, "config">): Cron => ({
  name: "companies.prune-sign-ups",
  at: { hour: 4, minute: 40 },
  async run({ db, clock }) {
    if (config.mail.smtpUrl === undefined) {
      return;
    }
    const now = clock.now();
    await db.systemTx(async (tx) => {
      const ids = await findUnconfirmedSignUps(tx, new Date(now.getTime() - keptDays * 86_400_000));
      const [operator] = ids.length > 0 ? await listOperators(tx) : [];
      for (const id of ids) {
        const name = (await findCompany(tx, id))?.name ?? "";
        if (operator) {
          const scope = { companyId: operator.companyId, now, actor: { kind: "system" } } as const;
          const details = { reason: "e-mail not confirmed" };
          await recordAuditOf(tx, scope, { action: "company.deleted", target: { type: "company", id, name }, details });
        }
        await deleteWithJob(tx, id, now);
      }
      if (ids.length > 0) {
        await emitCompaniesChanged(tx);
      }
    });
  },
});
