import { lockDeleted, lockForPayment, moveDueDate } from "#server/features/companies/index.ts";
import { listOperators } from "#server/features/users/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import { invoiceEvent } from "../invoices.events.ts";
import { returnMail } from "./return-mail.ts";
import { findLastPaid, findPayment, findReturnReaders, insertReturn, reopenInvoice } from "./returns.queries.ts";
import { cents, spendCredit } from "./settle.ts";
import { findCredit } from "./settle.queries.ts";

export interface ReturnedPayment {
  readonly companyId: number;
  readonly provider: string;
  /** Of the payment. */
  readonly reference: string;
  /** All that the provider says was returned of it until now, in reais. */
  readonly returned: number;
  readonly kind: "refund" | "chargeback";
}

/**
 * Follows what the provider says was given back of a payment, exactly once: only what was not known before is taken from the
 * company's credit, or given to it again after a chargeback that did not hold. Where the credit does not reach, the last paid
 * invoices are open again and the due date goes back; one that the operator has moved since stays, and the debt is settled by the
 * next payment (decision 0226). That of a company that is deleted, and not erased yet, is only counted. `told`: operators by their
 * audit logs too, and people by mail where there is an address for its links; absent where the operator has done it.
 */
export async function followReturns(
  tx: SystemTx,
  { companyId, provider, reference, returned, kind }: ReturnedPayment,
  { now, told }: { readonly now: Date; readonly told?: { readonly mailUrl: string | undefined } },
): Promise<void> {
  const company = await lockForPayment(tx, companyId);
  const isThere = company ?? (await lockDeleted(tx, companyId));
  const payment = isThere && (await findPayment(tx, { companyId, provider, reference }));
  if (!payment) {
    return;
  }
  const change = Math.min(cents(returned), cents(payment.value)) - cents(payment.returned);
  if (change === 0) {
    return;
  }
  const value = change / 100;
  const at = provider === "manual" ? payment.paidAt : now;
  await insertReturn(tx, companyId, { paymentId: payment.id, kind, value, at }, now);
  if (!company) {
    return;
  }
  tx.emit(companyId, invoiceEvent("updated", payment.invoiceId));
  const entry = {
    action: change > 0 ? "payment.returned" : "payment.restored",
    target: { type: "invoice", id: payment.invoiceId },
    details: { value: Math.abs(value), kind, provider },
  } as const;
  const operators = told ? (await listOperators(tx)).map((operator) => operator.companyId) : [];
  for (const id of new Set([companyId, ...operators])) {
    const details = id === companyId ? entry.details : { ...entry.details, company: company.name, companyId };
    await recordAuditOf(tx, { companyId: id, now }, { ...entry, details });
  }
  const reopened = change > 0 ? await reopenUnpaid(tx, companyId, company.dueDate, now) : 0;
  if (change < 0) {
    await spendCredit(tx, companyId, now);
  }
  if (change > 0 && told?.mailUrl !== undefined) {
    for (const reader of await findReturnReaders(tx, companyId)) {
      const page = reader.companyId === companyId ? "/financeiro" : "/settings?tab=billing";
      const invoicesUrl = told.mailUrl + page;
      const mail = returnMail(reader, { company: company.name, value, kind, reopened, invoicesUrl });
      sendMail({ enqueue: (job) => tx.enqueue(reader.companyId, job) }, mail);
    }
  }
}

/** Opens the last paid invoices again until the credit is not negative any more; returns how many. */
async function reopenUnpaid(tx: SystemTx, companyId: number, dueDateBefore: string | null, now: Date): Promise<number> {
  let credit = cents(await findCredit(tx, companyId));
  let dueDate = dueDateBefore;
  let count = 0;
  while (credit < 0 && dueDate !== null) {
    const invoice = await findLastPaid(tx, companyId, dueDate);
    if (!invoice) {
      break;
    }
    await reopenInvoice(tx, companyId, invoice.id);
    credit += cents(invoice.value);
    await recordAuditOf(
      tx,
      { companyId, now },
      {
        action: "invoice.reopened",
        target: { type: "invoice", id: invoice.id },
        details: { value: invoice.value, dueDate: { from: dueDate, to: invoice.dueDate } },
      },
    );
    tx.emit(companyId, invoiceEvent("updated", invoice.id));
    ({ dueDate } = invoice);
    count += 1;
  }
  if (dueDate !== null && dueDate !== dueDateBefore) {
    await moveDueDate(tx, companyId, dueDate);
  }
  return count;
}
