import { addDays, addMonths, daysBetween, dueDayOf, wallClockOf } from "@prosa/contract";
import { extendDueDate, lockDeleted, lockForPayment } from "#server/features/companies/index.ts";
import { listOperators } from "#server/features/users/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { invoiceEvent, paymentConcluded } from "../invoices.events.ts";
import { findBillingSettings } from "../settings/index.ts";
import { findCredit, findOpenInvoice, findPaidUntil, insertPayment, savePaid } from "./settle.queries.ts";
import type { NewPayment } from "./settle.queries.ts";

/**
 * Takes money that has arrived, exactly once. It becomes the company's credit, and credit pays the open invoice of its due date,
 * whichever was meant. So a late or a double payment pays the next invoice or stays credit, and too little waits for the rest. That of a
 * company that is deleted, and not erased yet, pays nothing: "unassigned", so that the operator can give it back.
 */
export async function settlePayment(
  tx: SystemTx,
  payment: NewPayment,
  now: Date,
): Promise<"settled" | "known" | "unassigned"> {
  const company = await lockForPayment(tx, payment.companyId);
  const deleted = company ? undefined : await lockDeleted(tx, payment.companyId);
  if ((!company && !deleted) || !(await insertPayment(tx, payment, now))) {
    return "known";
  }
  if (deleted) {
    await tellOperators(tx, payment, deleted.name, now);
    return "unassigned";
  }
  await spendCredit(tx, payment.companyId, now, payment);
  return "settled";
}

/** Only in the operators' logs: the company's own is erased with it. */
async function tellOperators(
  tx: SystemTx,
  { companyId, value, provider, reference }: NewPayment,
  name: string,
  now: Date,
): Promise<void> {
  const operators = (await listOperators(tx)).map((operator) => operator.companyId);
  for (const id of new Set(operators)) {
    await recordAuditOf(
      tx,
      { companyId: id, now },
      {
        action: "payment.unassigned",
        target: { type: "company", id: companyId, name },
        details: { value, provider, reference },
      },
    );
  }
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
  let { dueDate, dueDay } = company;
  const today = wallClockOf(now, company.timeZone).slice(0, 10);
  while (dueDate !== null) {
    // Only this one: after another, which the operator's or a returned payment's move has left open, the due date would lead to a
    // period that is paid, and for that no invoice is issued.
    const invoice = await findOpenInvoice(tx, companyId, dueDate);
    if (!invoice || cents(invoice.value) > credit) {
      break;
    }
    credit -= cents(invoice.value);
    const renewal = await renewalOf(tx, companyId, { dueDate, dueDay, months: invoice.months, today });
    ({ dueDate, dueDay } = renewal);
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
      await extendDueDate(tx, companyId, { dueDate, dueDay });
    }
    tx.emit(companyId, paymentConcluded({ name: company.name, dueDate }));
  }
  return paid;
}

interface Period {
  readonly dueDate: string;
  readonly dueDay: number | null;
  readonly months: number;
  /** In the company's time zone. */
  readonly today: string;
}

/**
 * A paid invoice extends the due date by the recurrence (behaviour 7). Where that is past, the days on which the company was closed are
 * left out: nobody pays for time without service, and the days of grace were served. `until`: the period's end; `dueDate`: later than
 * that where the operator's move had let the company pay the periods after it before.
 */
export async function renewalOf(
  tx: SystemTx,
  companyId: number,
  { dueDate, dueDay, months, today }: Period,
): Promise<{ readonly until: string; readonly dueDate: string; readonly dueDay: number }> {
  const { grace_days: graceDays } = await findBillingSettings(tx);
  const isOver = addMonths(dueDate, months, dueDay) <= today;
  const closedDays = isOver ? Math.max(0, daysBetween(dueDate, today) - graceDays) : 0;
  const start = addDays(dueDate, closedDays);
  const day = dueDayOf(start, closedDays === 0 ? dueDay : null);
  const until = addMonths(start, months, day);
  return { until, dueDate: await findPaidUntil(tx, companyId, until), dueDay: day };
}

/** Money is compared in cents. */
export function cents(reais: number): number {
  return Math.round(reais * 100);
}
