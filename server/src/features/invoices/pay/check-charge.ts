import { z } from "zod";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Cron, JobHandler } from "#server/platform/jobs/index.ts";
import type { OpenProvider } from "../settings/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findCharge, takeDueCharges } from "./charges.queries.ts";
import { followReturns } from "./returns.ts";
import { findPayment } from "./returns.queries.ts";
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
 * late call only brings this question, and each payment has a reference by which it is taken once. What went back is followed.
 */
export const checkCharge =
  (openProvider: OpenProvider, { config, publicUrl }: Pick<Services, "config" | "publicUrl">): JobHandler =>
  async (job, { db, clock, log, signal }) => {
    const { chargeId } = payload.parse(job.payload);
    const charge = await db.systemTx((tx) => findCharge(tx, chargeId));
    const provider = charge && (await openProvider(charge.provider));
    if (!charge || !provider) {
      return;
    }
    const payments = await provider.paymentsOf(charge, signal);
    for (const { returned, returnKind, ...payment } of payments) {
      const { company_id: companyId, invoice_id: invoiceId, provider: name } = charge;
      const money = { companyId, invoiceId, method: "pix", provider: name, ...payment } as const;
      const now = clock.now();
      const told = { mailUrl: config.mail.smtpUrl === undefined ? undefined : publicUrl() };
      // One transaction: nobody finds a payment counted of which is known that it went back.
      const settled = await db.systemTx(async (tx) => {
        if (returned < payment.value || (await findPayment(tx, money))) {
          const found = await settlePayment(tx, money, now);
          await followReturns(tx, { ...money, returned, kind: returnKind }, { now, told });
          return found;
        }
      });
      if (settled === "unassigned") {
        const { reference, value } = payment;
        log.warn({ companyId, provider: name, reference, value }, "payment of a deleted company: give it back");
      }
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
