import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";
import { partiesNow } from "../invoices.queries.ts";

export interface NewPayment {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly method: "pix" | "manual";
  /** `efi`, `asaas` or `manual`. */
  readonly provider: string;
  /** Unique for the provider: the same money is never counted twice. */
  readonly reference: string;
  /** Reais. */
  readonly value: number;
  readonly paidAt: Date;
  readonly note?: string;
  readonly userId?: number | null;
}

/** Stores a payment and adds it to the company's credit; false where it is known already. */
export async function insertPayment(tx: SystemTx, payment: NewPayment, now: Date): Promise<boolean> {
  const { companyId, invoiceId, method, provider, reference, value, paidAt, note = "", userId = null } = payment;
  const row = await tx.db
    .insertInto("invoice_payments")
    .values({
      company_id: companyId,
      invoice_id: invoiceId,
      method,
      provider,
      reference,
      value,
      paid_at: paidAt,
      note,
      user_id: userId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["provider", "reference"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) {
    return false;
  }
  await tx.db
    .insertInto("credit_entries")
    .values({ company_id: companyId, amount: value, payment_id: row.id, invoice_id: null, created_at: now })
    .execute();
  return true;
}

/** In reais. */
export async function findCredit(tx: SystemTx, companyId: number): Promise<number> {
  const { amount } = await tx.db
    .selectFrom("credit_entries")
    .select(sql<number>`coalesce(sum(amount), 0)`.as("amount"))
    .where("company_id", "=", companyId)
    .executeTakeFirstOrThrow();
  return amount;
}

export interface PayableInvoice {
  readonly id: number;
  readonly dueDate: string;
  readonly value: number;
  readonly months: number;
  readonly status: "open" | "paid" | "cancelled";
}

/** The columns of a `PayableInvoice`. */
export const payable = ["id", "due_date as dueDate", "value", "months", "status"] as const;

/** The open invoice of the period that begins on this due date. */
export async function findOpenInvoice(
  tx: SystemTx,
  companyId: number,
  dueDate: string,
): Promise<PayableInvoice | undefined> {
  return tx.db
    .selectFrom("invoices")
    .select(payable)
    .where("company_id", "=", companyId)
    .where("due_date", "=", dueDate)
    .where("status", "=", "open")
    .executeTakeFirst();
}

/** Until when a company has paid that has paid until this day: where the period that begins then is paid too, that one's end. */
export async function findPaidUntil(tx: SystemTx, companyId: number, day: string): Promise<string> {
  const { rows } = await sql<{ until: string }>`
    with recursive paid (until) as (
      select ${day}::date
      union
      select greatest(i.paid_until, (i.due_date + make_interval(months => i.months))::date)
      from paid join invoices i on i.company_id = ${companyId} and i.due_date = paid.until
      where i.status = 'paid')
    select max(until) as until from paid`.execute(tx.db);
  return rows[0]?.until ?? day;
}

export async function findPayable(tx: SystemTx, companyId: number, id: number): Promise<PayableInvoice | undefined> {
  return tx.db
    .selectFrom("invoices")
    .select(payable)
    .where("company_id", "=", companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Marks an open invoice as paid, out of the credit, with the parties for its receipt, and lets its charge end. */
export async function savePaid(
  tx: SystemTx,
  companyId: number,
  invoice: PayableInvoice,
  { now, by, until }: { readonly now: Date; readonly by: "pix" | "manual" | "credit"; readonly until: string },
): Promise<void> {
  await tx.db
    .updateTable("invoices")
    .set({ status: "paid", paid_at: now, paid_by: by, paid_until: until, parties: partiesNow })
    .where("company_id", "=", companyId)
    .where("id", "=", invoice.id)
    .where("status", "=", "open")
    .execute();
  await tx.db
    .insertInto("credit_entries")
    .values({
      company_id: companyId,
      amount: -invoice.value,
      payment_id: null,
      invoice_id: invoice.id,
      created_at: now,
    })
    .execute();
  await tx.db
    .updateTable("invoice_charges")
    .set({ is_live: false })
    .where("company_id", "=", companyId)
    .where("invoice_id", "=", invoice.id)
    .execute();
}

export async function countManualPayments(tx: SystemTx, companyId: number, invoiceId: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom("invoice_payments")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("company_id", "=", companyId)
    .where("invoice_id", "=", invoiceId)
    .where("provider", "=", "manual")
    .executeTakeFirstOrThrow();
  return Number(count);
}
