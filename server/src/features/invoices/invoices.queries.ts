import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { InvoiceParties, InvoicesTable } from "./invoices.tables.ts";

export type InvoiceRow = Omit<Selectable<InvoicesTable>, "company_id" | "warned_days" | "parties"> & {
  readonly returned: number;
  readonly markId: number | null;
  readonly due: number;
};

/** SQL: of a payment `p` something is kept. One that was given back as a whole, or a mark that was taken back, pays nothing. */
export const isKept = sql<boolean>`p.value > coalesce((select sum(r.value) from payment_returns r
  where r.company_id = p.company_id and r.payment_id = p.id), 0)`;

const columns = [
  "invoices.id",
  "invoices.due_date",
  "detail",
  "invoices.value",
  "months",
  "status",
  "issued_at",
  "invoices.paid_at",
  "paid_by",
  "paid_until",
  sql<number>`coalesce((select sum(r.value) from payment_returns r join invoice_payments p
    on p.company_id = r.company_id and p.id = r.payment_id
    where p.company_id = invoices.company_id and p.invoice_id = invoices.id and p.provider <> 'manual'), 0)`.as(
    "returned",
  ),
  sql<number | null>`(select max(p.id) from invoice_payments p where p.company_id = invoices.company_id
    and p.invoice_id = invoices.id and p.provider = 'manual' and ${isKept})`.as("markId"),
  sql<number>`case when status = 'open' then ${dueOf(sql`invoices.value`, sql`invoices.company_id`)} else 0 end`.as(
    "due",
  ),
] as const;

/** SQL of what is asked for an invoice of this value: with the company's debt, or less its credit (decision 0274). */
export function dueOf(value: RawBuilder<unknown>, companyId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`greatest(0, ${value} - coalesce((select sum(e.amount) from credit_entries e where e.company_id = ${companyId}), 0))`;
}

type Reader = Pick<Ctx, "db">;

/** A page of a company's invoices, the newest period first; `searchParam` is a part of their plan's name. */
export async function findInvoicesOf(
  { db }: Reader,
  companyId: number,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ rows: InvoiceRow[]; count: number }> {
  const matching = db
    .selectFrom("invoices")
    .where("company_id", "=", companyId)
    .where(sql<boolean>`(${searchParam} = '' or strpos(folded(detail), folded(${searchParam})) > 0)`);
  const [rows, { count }] = await Promise.all([
    matching
      .select(columns)
      .orderBy("due_date", "desc")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function findInvoices(ctx: Pick<Ctx, "db" | "companyId">, ids: readonly number[]): Promise<InvoiceRow[]> {
  return ctx.db
    .selectFrom("invoices")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", [...ids])
    .execute();
}

/** The company's next invoice to pay: the open one of its due date. */
export async function findDueInvoice(ctx: Ctx): Promise<InvoiceRow | undefined> {
  return ctx.db
    .selectFrom("invoices")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("status", "=", "open")
    .where("invoices.due_date", "=", ({ selectFrom }) =>
      selectFrom("companies").select("companies.due_date").where("companies.id", "=", ctx.companyId),
    )
    .executeTakeFirst();
}

/** An order that comes again within this time is the same one: credit pays no second period for it. */
export const sameOrderMs = 10 * 60_000;

/** The latest invoice that the company's credit has paid since then: what an order that is sent again has bought. */
export async function findPaidByCreditSince(
  ctx: Pick<Ctx, "db" | "companyId">,
  since: Date,
): Promise<InvoiceRow | undefined> {
  return ctx.db
    .selectFrom("invoices")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("status", "=", "paid")
    .where("paid_by", "=", "credit")
    .where("invoices.paid_at", ">=", since)
    .orderBy("due_date", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Whose invoice it is, over all companies. */
export async function findInvoiceOwner(tx: SystemTx, id: number): Promise<number | undefined> {
  const row = await tx.db.selectFrom("invoices").select("company_id").where("id", "=", id).executeTakeFirst();
  return row?.company_id;
}

/** SQL of an invoice's parties as they are now: the operator, and the company of its row. */
export const partiesNow = sql<InvoiceParties>`(select jsonb_build_object(
    'payee', (select pix_name from billing_settings),
    'payer', jsonb_build_object('name', coalesce(nullif(c.billing_name, ''), c.name), 'taxId', c.tax_id,
      'address', concat_ws(', ', nullif(c.address_street, ''), nullif(c.address_district, ''), nullif(c.address_city, ''),
        nullif(c.address_state, ''), nullif(c.address_zip_code, ''))))
  from companies c where c.id = invoices.company_id)`;

export type InvoiceDetailsRow = InvoiceRow & {
  readonly parties: InvoiceParties;
  readonly payments: readonly { method: "pix" | "manual"; value: number; paidAt: string; reference: string }[];
};

/** An invoice with the parties and the payments that are kept. A note of the operator stands in place of a reference. */
export async function findInvoiceDetails(ctx: Ctx, id: number): Promise<InvoiceDetailsRow | undefined> {
  return ctx.db
    .selectFrom("invoices")
    .select([
      ...columns,
      sql<InvoiceParties>`coalesce(parties, ${partiesNow})`.as("parties"),
      sql<
        InvoiceDetailsRow["payments"]
      >`coalesce((select json_agg(json_build_object('method', p.method, 'value', p.value,
        'paidAt', p.paid_at, 'reference', case when p.method = 'manual' then p.note else p.reference end) order by p.id)
        from invoice_payments p where p.company_id = invoices.company_id and p.invoice_id = invoices.id and ${isKept}), '[]')`.as(
        "payments",
      ),
    ])
    .where("invoices.company_id", "=", ctx.companyId)
    .where("invoices.id", "=", id)
    .executeTakeFirst();
}
