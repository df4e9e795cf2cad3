import { lockForPayment } from "#server/features/companies/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { findInvoiceOwner } from "../invoices.queries.ts";
import { followReturns } from "./returns.ts";
import { findMark } from "./returns.queries.ts";
import { cents, settlePayment, spendCredit } from "./settle.ts";
import { countManualPayments, findCredit, findPayable } from "./settle.queries.ts";

interface Operator {
  readonly userId: number;
  readonly now: Date;
}

/**
 * The operator saw the money arrive: pays what is due for the invoice, with a note: what its Pix asks for, the company's debt with
 * it or less its credit (decision 0274). Throws ERR_NOT_FOUND, and ERR_INVOICE_NOT_OPEN for
 * one that is paid or cancelled. Returns whose invoice it is.
 */
export async function markPaid(db: Db, { userId, now }: Operator, id: number, note: string): Promise<number> {
  return db.systemTx(async (tx) => {
    const companyId = await findInvoiceOwner(tx, id);
    const company = companyId === undefined ? undefined : await lockForPayment(tx, companyId);
    const invoice = company && companyId !== undefined ? await findPayable(tx, companyId, id) : undefined;
    if (companyId === undefined || !invoice) {
      throw new AppError("ERR_NOT_FOUND", { invoiceId: id });
    }
    // One of another date is cancelled soon: the operator has moved it.
    if (invoice.status !== "open" || invoice.dueDate !== company?.dueDate) {
      throw new AppError("ERR_INVOICE_NOT_OPEN", { invoiceId: id });
    }
    const due = (cents(invoice.value) - cents(await findCredit(tx, companyId))) / 100;
    if (due <= 0) {
      await spendCredit(tx, companyId, now, { invoiceId: id, method: "credit" });
      return companyId;
    }
    const payment = {
      companyId,
      invoiceId: id,
      method: "manual",
      provider: "manual",
      reference: await manualReference(tx, companyId, id),
    } as const;
    await settlePayment(tx, { ...payment, value: due, paidAt: now, note, userId }, now);
    return companyId;
  });
}

/**
 * The operator takes a mark back, as a payment that was given back (decision 0226), of which nobody is mailed: no money has moved.
 * `markId`: the one that the operator saw. Throws ERR_NOT_FOUND where the invoice has no such mark, or not any more: another one may
 * be set since, for money that has come. Returns whose invoice it is.
 */
export async function takeBackMark(
  db: Db,
  now: Date,
  { id, markId }: { readonly id: number; readonly markId: number },
): Promise<number> {
  return db.systemTx(async (tx) => {
    const companyId = await findInvoiceOwner(tx, id);
    const company = companyId === undefined ? undefined : await lockForPayment(tx, companyId);
    const mark = company && companyId !== undefined ? await findMark(tx, { companyId, id, markId }) : undefined;
    if (companyId === undefined || !mark) {
      throw new AppError("ERR_NOT_FOUND", { invoiceId: id, markId });
    }
    const { reference, value: returned } = mark;
    await followReturns(tx, { companyId, provider: "manual", reference, returned, kind: "refund" }, { now });
    return companyId;
  });
}

/** A payment that was returned leaves the invoice to be marked again. */
async function manualReference(tx: SystemTx, companyId: number, id: number): Promise<string> {
  const before = await countManualPayments(tx, companyId, id);
  return before === 0 ? `invoice:${id}` : `invoice:${id}:${before + 1}`;
}
