import { invoiceWarningDays, wallClockOf } from "@prosa/contract";
import { extendDueDate, lockForPayment } from "#server/features/companies/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findPaidByCreditSince, sameOrderMs } from "../invoices.queries.ts";
import { invoiceEvent } from "../invoices.events.ts";
import { renewalOf, spendCredit } from "../pay/index.ts";
import { warningMail } from "./warning-mail.ts";
import { cancelMovedInvoices, insertDueInvoices, lockFreeSubscriptions, markWarned } from "./issue.queries.ts";
import type { IssuedInvoice } from "./issue.queries.ts";

/**
 * Issues invoices and mails warnings, every ten minutes, so that a company of yesterday finds its invoice. A run that was killed is
 * made up for by the next: each step is saved with its mails in one transaction.
 */
export const issueCron = ({ publicUrl }: Pick<Services, "publicUrl">): Cron => ({
  name: "invoices.issue",
  everySeconds: 600,
  priority: "notice",
  async run({ db, clock, signal }) {
    const now = clock.now();
    let isMore = true;
    while (isMore && !signal.aborted) {
      isMore = await db.systemTx((tx) => renewFreePlans(tx, now));
    }
    await db.systemTx(async (tx) => publish(tx, await cancelMovedInvoices(tx), "cancelled", now));
    isMore = true;
    while (isMore && !signal.aborted) {
      isMore = await db.systemTx((tx) => issueInvoices(tx, now));
    }
    await db.systemTx(async (tx) => {
      for (const invoice of await markWarned(tx, now, invoiceWarningDays)) {
        for (const to of invoice.recipients) {
          const enqueue = (job: NewJob) => tx.enqueue(invoice.companyId, { ...job, runAt: now });
          sendMail({ enqueue }, warningMail(invoice, to, publicUrl()));
        }
      }
    });
  },
});

/**
 * Extends the due dates of free plans, which have no invoice to pay, before anybody is warned of them; a trial ends with it. Returns
 * whether there may be more.
 */
async function renewFreePlans(tx: SystemTx, now: Date): Promise<boolean> {
  const due = await lockFreeSubscriptions(tx, now, Math.max(...invoiceWarningDays));
  for (const { companyId, dueDate, dueDay, months, timeZone } of due) {
    const today = wallClockOf(now, timeZone).slice(0, 10);
    const renewal = await renewalOf(tx, companyId, { dueDate, dueDay, months, today });
    await extendDueDate(tx, companyId, renewal);
    await recordAuditOf(
      tx,
      { companyId, now },
      {
        action: "subscription.updated",
        target: { type: "company", id: companyId },
        details: { dueDate: { from: dueDate, to: renewal.dueDate } },
      },
    );
  }
  return due.length > 0;
}

/** Issues the invoices that are due; the credit of a company pays its own at once. Returns whether there may be more. */
async function issueInvoices(tx: SystemTx, now: Date): Promise<boolean> {
  const { issued, isMore } = await insertDueInvoices(tx, now);
  await publish(tx, issued, "issued", now);
  for (const { companyId } of issued) {
    await spendCredit(tx, companyId, now);
  }
  return isMore;
}

/**
 * Issues the invoice of the company's coming period, however far away it is, for a person who wants to pay it now. Nothing where credit
 * has just paid one: the order was sent again.
 */
export async function issueNow(tx: SystemTx, companyId: number, now: Date): Promise<void> {
  await lockForPayment(tx, companyId);
  if (await findPaidByCreditSince({ ...tx, companyId }, new Date(now.getTime() - sameOrderMs))) {
    return;
  }
  // Fewer than the days of a date's range in PostgreSQL, and more than anybody pays ahead.
  const { issued } = await insertDueInvoices(tx, now, { companyId, daysBefore: 36_500 });
  await publish(tx, issued, "issued", now);
  if (issued.length > 0) {
    await spendCredit(tx, companyId, now);
  }
}

async function publish(
  tx: SystemTx,
  invoices: readonly IssuedInvoice[],
  what: "issued" | "cancelled",
  now: Date,
): Promise<void> {
  for (const { id, companyId } of invoices) {
    tx.emit(companyId, invoiceEvent(what === "issued" ? "created" : "updated", id));
    const action = what === "issued" ? "invoice.issued" : "invoice.cancelled";
    await recordAuditOf(tx, { companyId, now }, { action, target: { type: "invoice", id } });
  }
}
