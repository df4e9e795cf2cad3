import { pageSize } from "@prosa/contract";
import type { BilledCompany, BillingSummary } from "@prosa/contract";
import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";

/** In the time zone of the operator's own company: months begin there. */
export async function findSummary(tx: SystemTx, now: Date, companyId: number): Promise<BillingSummary> {
  const { rows } = await sql<BillingSummary>`
    with zone as materialized (select time_zone as name from companies where id = ${companyId}),
    month as (select date_trunc('month', ${now}::timestamptz at time zone zone.name) as starts from zone),
    edges as (
      select starts at time zone zone.name as this, (starts - interval '1 month') at time zone zone.name as last
      from month, zone),
    received as (
      select coalesce(sum(value) filter (where paid_at >= edges.this), 0) as this,
        coalesce(sum(value) filter (where paid_at < edges.this), 0) as last
      from (select value, paid_at from invoice_payments union all select -value, created_at from payment_returns
        union all select value, received_at from erased_receipts) money, edges
      where paid_at >= edges.last),
    unpaid as (
      select count(*) as n, coalesce(sum(i.value), 0) as value,
        count(*) filter (where i.due_date < (${now}::timestamptz at time zone c.time_zone)::date) as late_n,
        coalesce(sum(i.value) filter (where i.due_date < (${now}::timestamptz at time zone c.time_zone)::date), 0) as late_value
      from invoices i join companies c on c.id = i.company_id where i.status = 'open' and c.deleted_at is null),
    firms as (
      select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as disabled
      from companies where deleted_at is null)
    select received.this as "receivedThisMonth", received.last as "receivedLastMonth",
      json_build_object('count', unpaid.n, 'value', unpaid.value) as open,
      json_build_object('count', unpaid.late_n, 'value', unpaid.late_value) as overdue,
      json_build_object('active', firms.active, 'disabled', firms.disabled) as companies
    from received, unpaid, firms`.execute(tx.db);
  return rows[0]!;
}

/** A page of companies, those that owe first, then by name. */
export async function findBilledCompanies(
  tx: SystemTx,
  now: Date,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ rows: BilledCompany[]; count: number }> {
  const match = sql`deleted_at is null and (${searchParam} = '' or strpos(
    folded(concat_ws(' ', c.name, c.email, c.phone)), folded(${searchParam})) > 0)`;
  const used = (table: string, limit: string, condition = sql``) => sql`json_build_object(
    'used', (select count(*) from ${sql.table(table)} t where t.company_id = page.id ${condition}),
    'limit', coalesce(${sql.ref(limit)}, 0))`;
  // first the page, then what its companies use
  const { rows } = await sql<BilledCompany>`
    with owing as (
      select company_id, sum(value) as open from invoices where status = 'open' group by company_id),
    page as (
      select c.*, coalesce(owing.open, 0) as open from companies c left join owing on owing.company_id = c.id
      where ${match}
      order by (coalesce(owing.open, 0) > 0 and c.due_date < (${now}::timestamptz at time zone c.time_zone)::date) desc,
        folded(c.name), c.id
      limit ${pageSize.others} offset ${(pageNumber - 1) * pageSize.others})
    select page.id, page.name, coalesce(page.email, '') as email, p.name as plan, page.recurrence,
      page.due_date as "dueDate", page.is_active as status,
      ${used("users", "p.users")} as users, ${used("connections", "p.connections", sql`and t.deleted_at is null`)} as connections,
      ${used("queues", "p.queues")} as queues, page.open,
      coalesce((select sum(i.value) from invoices i where i.company_id = page.id and i.status = 'open'
        and i.due_date < (${now}::timestamptz at time zone page.time_zone)::date), 0) as overdue,
      coalesce((select sum(e.amount) from credit_entries e where e.company_id = page.id), 0) as credit
    from page left join plans p on p.id = page.plan_id
    order by (page.open > 0 and page.due_date < (${now}::timestamptz at time zone page.time_zone)::date) desc,
      folded(page.name), page.id`.execute(tx.db);
  const counted = await sql<{ count: number }>`select count(*)::int as count from companies c where ${match}`.execute(
    tx.db,
  );
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

/** Is there such a company, not deleted? */
export async function isCompany(tx: SystemTx, id: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom("companies")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}
