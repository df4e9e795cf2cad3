import { z } from "zod";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Cron, JobHandler } from "#server/platform/jobs/index.ts";
import type { OpenProvider } from "../settings/index.ts";
import { findCharge, takeDueCharges } from "./charges.queries.ts";
import { settlePayment } from "./settle.ts";

export const CHECK_TASK = "invoices.check-charge";

const payload = z.object({ chargeId: z.number().int() });

/** Enqueues a question to the provider; however many webhooks name the charge, one question waits. */
export function enqueueCheck(
  tx: SystemTx,
  { id, company_id: companyId }: { readonly id: number; readonly company_id: number },
  runAt: Date,
): void {
  const key = `invoice-charge:${id}`;
  tx.enqueue(companyId, { task: CHECK_TASK, payload: { chargeId: id }, key, lane: key, runAt, priority: "notice" });
}

/**
 * Job: asks the provider what was paid of a charge, and takes it. Nothing else makes an invoice paid by Pix: a forged, repeated or
 * late call only brings this question, and each payment has a reference by which it is taken once.
 */
export const checkCharge =
  (openProvider: OpenProvider): JobHandler =>
  async (job, { db, clock, signal }) => {
    const { chargeId } = payload.parse(job.payload);
    const charge = await db.systemTx((tx) => findCharge(tx, chargeId));
    const provider = charge && (await openProvider(charge.provider));
    if (!charge || !provider) {
      return;
    }
    const payments = await provider.paymentsOf(charge, signal);
    for (const payment of payments) {
      await db.systemTx((tx) =>
        settlePayment(
          tx,
          {
            companyId: charge.company_id,
            invoiceId: charge.invoice_id,
            method: "pix",
            provider: charge.provider,
            ...payment,
          },
          clock.now(),
        ),
      );
    }
  };

/** Asks about charges of which no webhook has told yet. */
export const checkCron: Cron = {
  name: "invoices.check-charges",
  everySeconds: 60,
  priority: "notice",
  async run({ db, clock }) {
    await db.systemTx(async (tx) => {
      const now = clock.now();
      for (const charge of await takeDueCharges(tx, now)) {
        enqueueCheck(tx, charge, now);
      }
    });
  },
};
