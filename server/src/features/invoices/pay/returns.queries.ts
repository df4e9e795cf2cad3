import { sql } from "kysely";
import { hasEnteredSql } from "#server/features/users/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { isKept } from "../invoices.queries.ts";
import { payable } from "./settle.queries.ts";
import type { PayableInvoice } from "./settle.queries.ts";

export interface KnownPayment {
  readonly id: number;
  readonly invoiceId: number;
  readonly value: number;
  readonly paidAt: Date;
  /** What is known to have been returned of it, in reais. */
  readonly returned: number;
}

/** A payment by the provider's own reference. */
export async function findPayment(
  tx: SystemTx,
  {
    companyId,
    provider,
    reference,
  }: { readonly companyId: number; readonly provider: string; readonly reference: string },
): Promise<KnownPayment | undefined> {
  return tx.db
    .selectFrom("invoice_payments as p")
    .select([
      "p.id",
      "p.invoice_id as invoiceId",
      "p.value",
      "p.paid_at as paidAt",
      sql<number>`coalesce((select sum(r.value) from payment_returns r
        where r.company_id = p.company_id and r.payment_id = p.id), 0)`.as("returned"),
    ])
    .where("p.company_id", "=", companyId)
    .where("p.provider", "=", provider)
    .where("p.reference", "=", reference)
    .executeTakeFirst();
}

/** Stores what was returned, and takes it from the company's credit; a negative value gives it back. `at`: in whose month it counts. */
export async function insertReturn(
  tx: SystemTx,
  companyId: number,
  returned: {
    readonly paymentId: number;
    readonly kind: "refund" | "chargeback";
    readonly value: number;
    readonly at: Date;
  },
  now: Date,
): Promise<void> {
  const { id } = await tx.db
    .insertInto("payment_returns")
    .values({
      company_id: companyId,
      payment_id: returned.paymentId,
      kind: returned.kind,
      value: returned.value,
      created_at: returned.at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx.db
    .insertInto("credit_entries")
    .values({
      company_id: companyId,
      amount: -returned.value,
      payment_id: null,
      invoice_id: null,
      return_id: id,
      created_at: now,
    })
    .execute();
}

/** A payment of an invoice that the operator marked and has not taken back: its reference and value. */
export async function findMark(
  tx: SystemTx,
  { companyId, id, markId }: { readonly companyId: number; readonly id: number; readonly markId: number },
): Promise<{ readonly reference: string; readonly value: number } | undefined> {
  return tx.db
    .selectFrom("invoice_payments as p")
    .select(["p.reference", "p.value"])
    .where("p.company_id", "=", companyId)
    .where("p.invoice_id", "=", id)
    .where("p.id", "=", markId)
    .where("p.provider", "=", "manual")
    .where(isKept)
    .executeTakeFirst();
}

/** The invoice that brought the company to its due date: the last one that can be taken back. */
export async function findLastPaid(
  tx: SystemTx,
  companyId: number,
  paidUntil: string,
): Promise<PayableInvoice | undefined> {
  return tx.db
    .selectFrom("invoices")
    .select(payable)
    .where("company_id", "=", companyId)
    .where("status", "=", "paid")
    .where("paid_until", "=", paidUntil)
    .orderBy("due_date", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Opens a paid invoice again; what it took of the credit comes back. Warnings are mailed anew. */
export async function reopenInvoice(tx: SystemTx, companyId: number, id: number): Promise<void> {
  await tx.db
    .updateTable("invoices")
    .set({ status: "open", paid_at: null, paid_by: null, paid_until: null, warned_days: null, parties: null })
    .where("company_id", "=", companyId)
    .where("id", "=", id)
    .execute();
  await tx.db.deleteFrom("credit_entries").where("company_id", "=", companyId).where("invoice_id", "=", id).execute();
}

export interface ReturnReader {
  readonly email: string;
  readonly companyId: number;
  readonly language: "pt" | "en" | "es";
}

/** Who is told by mail: the operators, and the company's billing e-mail, or its admins' who have entered where it has none. */
export async function findReturnReaders(tx: SystemTx, companyId: number): Promise<ReturnReader[]> {
  const { rows } = await sql<ReturnReader>`
    (select u.email, u.company_id as "companyId", c.language from users u join companies c on c.id = u.company_id
      where u.is_super order by u.id limit 20)
    union
    (select coalesce(nullif(c.email, ''), u.email), c.id, c.language from companies c
      left join users u on u.company_id = c.id and u.profile = 'admin'
        and ${sql.raw(hasEnteredSql("u.id"))}
      where c.id = ${companyId} and coalesce(nullif(c.email, ''), u.email) is not null order by u.id limit 5)`.execute(
    tx.db,
  );
  return rows;
}
