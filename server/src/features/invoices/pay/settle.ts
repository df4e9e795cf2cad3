import { addMonths, wallClockOf } from "@prosa/contract";
import { extendDueDate, lockForPayment } from "#server/features/companies/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { invoiceEvent, paymentConcluded } from "../invoices.events.ts";
import { findCredit, findOpenInvoice, findPaidUntil, insertPayment, savePaid } from "./settle.queries.ts";
import type { NewPayment } from "./settle.queries.ts";

interface Settled {
  /** False: this money is known already. */
  readonly isNew: boolean;
  readonly paidInvoiceIds: readonly number[];
}

/**
 * Takes money that has arrived, exactly once. It becomes the company's credit, and credit pays the open invoice of its due date,
 * whichever was meant. So a late or a double payment pays the next invoice or stays credit, and too little waits for the rest.
 */
export async function settlePayment(tx: SystemTx, payment: NewPayment, now: Date): Promise<Settled> {
  const company = await lockForPayment(tx, payment.companyId);
  if (!company || !(await insertPayment(tx, payment, now))) {
    return { isNew: false, paidInvoiceIds: [] };
  }
  return { isNew: true, paidInvoiceIds: await spendCredit(tx, payment.companyId, now, payment) };
}

/** Pays open invoices, from the one of the due date on, as far as the credit reaches; returns the paid ones. */
export async function spendCredit(
  tx: SystemTx,
  companyId: number,
  now: Date,
  meant?: { readonly invoiceId: number; readonly method: NewPayment["method"] | "credit" },
): Promise<number[]> {
  const company = await lockForPayment(tx, companyId);
  let credit = company ? cents(await findCredit(tx, companyId)) : 0;
  if (!company || credit <= 0) {
    return [];
  }
  const paid: number[] = [];
  let { dueDate } = company;
  const today = wallClockOf(now, company.timeZone).slice(0, 10);
  while (dueDate !== null) {
    // Only this one: after another, which the operator's or a returned payment's move has left open, the due date would lead to a
    // period that is paid, and for that no invoice is issued.
    const invoice = await findOpenInvoice(tx, companyId, dueDate);
    if (!invoice || cents(invoice.value) > credit) {
      break;
    }
    credit -= cents(invoice.value);
    const renewal = await renewalOf(tx, companyId, { dueDate, months: invoice.months, today });
    ({ dueDate } = renewal);
    const by = meant?.invoiceId === invoice.id ? meant.method : "credit";
    await savePaid(tx, companyId, invoice, { now, by, until: renewal.until });
    tx.emit(companyId, invoiceEvent("updated", invoice.id));
    await recordAuditOf(
      tx,
      { companyId, now },
      {
        action: by === "manual" ? "invoice.marked-paid" : "invoice.paid",
        target: { type: "invoice", id: invoice.id },
        details: { value: invoice.value, by, dueDate: { from: company.dueDate, to: dueDate } },
      },
    );
    paid.push(invoice.id);
  }
  if (paid.length > 0) {
    if (dueDate !== null) {
      await extendDueDate(tx, companyId, dueDate);
    }
    tx.emit(companyId, paymentConcluded({ name: company.name, dueDate }));
  }
  return paid;
}

/**
 * A paid invoice extends the due date by the recurrence (behaviour 7). A company that has been closed for longer than that gets the
 * whole period from today: nobody pays for time without service. `until`: its end; `dueDate`: later than that where the operator's
 * move had let the company pay the periods after it before.
 */
export async function renewalOf(
  tx: SystemTx,
  companyId: number,
  { dueDate, months, today }: { readonly dueDate: string; readonly months: number; readonly today: string },
): Promise<{ readonly until: string; readonly dueDate: string }> {
  const next = addMonths(dueDate, months);
  const until = next > today ? next : addMonths(today, months);
  return { until, dueDate: await findPaidUntil(tx, companyId, until) };
}

/** Money is compared in cents. */
export function cents(reais: number): number {
  return Math.round(reais * 100);
}
