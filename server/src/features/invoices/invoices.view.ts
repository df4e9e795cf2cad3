import type { Invoice, InvoiceDetails } from "@prosa/contract";
import type { InvoiceDetailsRow, InvoiceRow } from "./invoices.queries.ts";

export function invoiceView(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    detail: row.detail,
    value: row.value,
    dueDate: row.due_date,
    status: row.status,
    months: row.months,
    issuedAt: row.issued_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    paidBy: row.paid_by,
    paidUntil: row.paid_until,
    returned: Number(row.returned),
    markId: row.markId,
    due: Number(row.due),
  };
}

export function invoiceDetailsView(row: InvoiceDetailsRow): InvoiceDetails {
  const payments = row.payments.map((payment) => ({ ...payment, paidAt: new Date(payment.paidAt).toISOString() }));
  return { ...invoiceView(row), ...row.parties, payments };
}

/** Reais as the Pix arrangement writes them: "97.00". */
export function amountText(value: number): string {
  return value.toFixed(2);
}
