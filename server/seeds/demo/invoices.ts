import { addMonths } from "@prosa/contract";
import { moveDueDate } from "#server/features/companies/index.ts";
import { issueNow, markPaid } from "#server/features/invoices/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { openInvoiceOf } from "./demo.queries.ts";

/** Years that the shop has paid for so far. */
const paidYears = 2;
/** It pays so many days before the due date. */
const daysAhead = 5;
const overdueDays = 3;

/** An invoice that another company has not paid in time: what the operator's billing shows first. */
export async function seedOverdueInvoice(tx: SystemTx, companyId: number, now: Date) {
  const day = new Date(now.getTime() - overdueDays * 86_400_000).toISOString().slice(0, 10);
  await moveDueDate(tx, companyId, day);
  await issueNow(tx, companyId, now);
}

/**
 * The shop's invoices: the past years paid, and that of the coming one open. It has none that is overdue: that would close the
 * demo after the days of grace.
 */
export async function seedInvoices({ db }: Services, companyId: number, adminId: number, dueDate: string, now: Date) {
  const first = addMonths(dueDate, -12 * paidYears);
  await db.systemTx((tx) => moveDueDate(tx, companyId, first));
  for (let year = 0; year < paidYears; year += 1) {
    const due = addMonths(first, 12 * year);
    const at = new Date(Date.parse(`${due}T15:00:00Z`) - daysAhead * 86_400_000);
    const id = await db.systemTx(async (tx) => {
      await issueNow(tx, companyId, at);
      return openInvoiceOf(tx, companyId);
    });
    if (id !== undefined) {
      await markPaid(db, { userId: adminId, now: at }, id, "Pix recebido");
    }
  }
  await db.systemTx(async (tx) => {
    await moveDueDate(tx, companyId, dueDate);
    await issueNow(tx, companyId, now);
  });
}
