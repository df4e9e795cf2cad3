import { addMonths, wallClockOf } from "@prosa/contract";
import { extendDueDate, lockForPayment } from "#server/features/companies/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { invoiceEvent, paymentConcluded } from "../invoices.events.ts";
import { findCredit, findOpenInvoices, insertPayment, savePaid } from "./settle.queries.ts";
import type { NewPayment, PayableInvoice } from "./settle.queries.ts";

interface Settled {
  /** False: this money is known already. */
  readonly isNew: boolean;
  readonly paidInvoiceIds: readonly number[];
}

/**
 * Takes money that has arrived, exactly once. It becomes the company's credit, and credit pays open invoices: first the one that was
 * meant, then the oldest. So a late or a double payment pays the next invoice or stays credit, and too little waits for the rest.
 */
export async function settlePayment(tx: SystemTx, payment: NewPayment, now: Date): Promise<Settled> {
  const company = await lockForPayment(tx, payment.companyId);
  if (!company || !(await insertPayment(tx, payment, now))) {
    return { isNew: false, paidInvoiceIds: [] };
  }
  return { isNew: true, paidInvoiceIds: await spendCredit(tx, payment.companyId, now, payment) };
}

/** Pays open invoices as far as the credit reaches; returns the paid ones. */
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
  for (const invoice of await findOpenInvoices(tx, companyId, meant?.invoiceId ?? null)) {
    if (cents(invoice.value) > credit) {
      break;
    }
    credit -= cents(invoice.value);
    dueDate = dueDate === null ? null : renewedUntil(dueDate, invoice, today);
    const by = meant?.invoiceId === invoice.id ? meant.method : "credit";
    await savePaid(tx, companyId, invoice, { now, by, until: dueDate });
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
 * whole period from today: nobody pays for time without service.
 */
export function renewedUntil(dueDate: string, { months }: Pick<PayableInvoice, "months">, today: string): string {
  const next = addMonths(dueDate, months);
  return next > today ? next : addMonths(today, months);
}

/** Money is compared in cents. */
export function cents(reais: number): number {
  return Math.round(reais * 100);
}
