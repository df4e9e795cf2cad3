import { invoiceIssuedDaysBefore, recurrenceMonths } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import { hasEnteredSql } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { dueOf } from "../invoices.queries.ts";
import type { InvoiceRow } from "../invoices.queries.ts";

export interface IssuedInvoice {
  readonly id: number;
  readonly companyId: number;
}

/** Invoices of one statement: a long transaction would delay the event tail. */
const BATCH = 200;

const names = Object.keys(recurrenceMonths);
const monthsOf = Object.values(recurrenceMonths);

/** Each company `c` that is served, with its plan `p` and the months `m` of its recurrence. */
const subscriptions = sql`companies c join plans p on p.id = c.plan_id
      join unnest(${names}::text[], ${monthsOf}::int[]) as m(recurrence, months) on m.recurrence = c.recurrence
    where c.deleted_at is null and c.is_active`;
/** The coming period of each that pays, and that has no invoice for it yet. */
const comingPeriods = sql`${subscriptions} and p.value > 0 and not exists (select from invoices i
        where i.company_id = c.id and i.due_date = c.due_date and i.status <> 'cancelled')`;
const price = sql`round(p.value * m.months, 2)`;

/** Those whose due date is at most so many days away: the first condition is the index's, the second the company's own calendar. */
function isDueWithin(days: number, now: Date) {
  return sql`c.due_date <= (${now}::timestamptz at time zone 'UTC')::date + ${days}::int + 1
      and c.due_date <= (${now}::timestamptz at time zone c.time_zone)::date + ${days}::int`;
}

/** The invoice that `insertDueInvoices` would issue for this company's coming period, with what would be due of it. */
export async function findComingInvoice(
  ctx: Ctx,
): Promise<Pick<InvoiceRow, "detail" | "value" | "months" | "due_date" | "due"> | undefined> {
  const { rows } = await sql<Pick<InvoiceRow, "detail" | "value" | "months" | "due_date" | "due">>`
    select p.name as detail, ${price} as value, m.months, c.due_date,
      ${dueOf(price, sql`c.id`)} as due
    from ${comingPeriods} and c.id = ${ctx.companyId} and c.due_date is not null`.execute(ctx.db);
  return rows[0];
}

/**
 * Issues what is missing: an invoice for each due date that is `daysBefore` days away or past, with what the plan costs now for as
 * many months as the recurrence has. One that was cancelled, because the operator had moved the date away, is issued anew.
 * Free plans have none. Of one company with `companyId`.
 */
export async function insertDueInvoices(
  tx: SystemTx,
  now: Date,
  { companyId = null, daysBefore = invoiceIssuedDaysBefore }: { companyId?: number | null; daysBefore?: number } = {},
): Promise<{ issued: IssuedInvoice[]; isMore: boolean }> {
  const { rows } = await sql<IssuedInvoice>`
    insert into invoices (company_id, due_date, detail, value, months, issued_at)
    select c.id, c.due_date, p.name, ${price}, m.months, ${now}::timestamptz
    from ${comingPeriods} and ${isDueWithin(daysBefore, now)}
      and (${companyId}::int is null or c.id = ${companyId})
    order by c.id limit ${BATCH}
    on conflict (company_id, due_date) do update set status = 'open', detail = excluded.detail, value = excluded.value,
      months = excluded.months, issued_at = excluded.issued_at, warned_days = null
      where invoices.status = 'cancelled'
    returning id, company_id as "companyId"`.execute(tx.db);
  return { issued: rows, isMore: rows.length === BATCH };
}

export interface FreeSubscription {
  readonly companyId: number;
  readonly dueDate: string;
  readonly dueDay: number | null;
  readonly months: number;
  readonly timeZone: string;
}

/** Some companies with a free plan whose due date is at most so many days away; locked against the operator's changes. */
export async function lockFreeSubscriptions(tx: SystemTx, now: Date, days: number): Promise<FreeSubscription[]> {
  const { rows } = await sql<FreeSubscription>`
    select c.id as "companyId", c.due_date as "dueDate", c.due_day as "dueDay", m.months, c.time_zone as "timeZone"
    from ${subscriptions} and p.value = 0 and ${isDueWithin(days, now)}
    order by c.id limit ${BATCH} for no key update of c`.execute(tx.db);
  return rows;
}

/** Cancels open invoices of a date that is not the company's due date any more: the operator has moved it by hand. */
export async function cancelMovedInvoices(tx: SystemTx): Promise<IssuedInvoice[]> {
  const { rows } = await sql<IssuedInvoice>`
    update invoices i set status = 'cancelled' from companies c
    where i.id = any (array(
        select o.id from invoices o join companies oc on oc.id = o.company_id
        where o.status = 'open' and oc.due_date is distinct from o.due_date
        order by o.due_date, o.id limit ${BATCH}))
      and c.id = i.company_id and i.status = 'open' and c.due_date is distinct from i.due_date
    returning i.id, i.company_id as "companyId"`.execute(tx.db);
  return rows;
}

export interface WarnedInvoice extends IssuedInvoice {
  readonly days: number;
  /** What its Pix asks for: a debt of the company with it, its credit without. */
  readonly due: number;
  /** Until when it is to be paid. */
  readonly lastDay: string;
  readonly company: string;
  readonly language: Language;
  /** The company's billing e-mail, or its admins' where it has none: those who have entered, for nobody has confirmed an invited one's. */
  readonly recipients: readonly string[];
}

/**
 * Marks open invoices whose next warning is due, and returns them with the days that are left. Of several that were missed only the
 * last is returned; days: those of `invoiceWarningDays`. One that was issued after its due date, to a company that pays within many
 * days of grace, is to be paid until these end (decision 0201): it is never warned of otherwise. Not of a company whose e-mail waits for its confirmation: the address may be
 * a stranger's (decision 0206).
 */
export async function markWarned(tx: SystemTx, now: Date, days: readonly number[]): Promise<WarnedInvoice[]> {
  const { rows } = await sql<WarnedInvoice>`
    with due as (
      select i.id, ends.last_day, left_days.n as left_days, (select min(d) from unnest(${[...days]}::int[]) d where d >= left_days.n) as stage
      from invoices i join companies c on c.id = i.company_id cross join billing_settings b,
        lateral (select i.due_date + case when (i.issued_at at time zone c.time_zone)::date > i.due_date
          then b.grace_days else 0 end as last_day) ends,
        lateral (select ends.last_day - (${now}::timestamptz at time zone c.time_zone)::date as n) left_days
      where i.status = 'open' and c.is_active and left_days.n >= 0
        and not exists (select from email_confirmations e where e.company_id = c.id)
        and i.due_date <= (${now}::timestamptz at time zone 'UTC')::date + ${Math.max(...days) + 1}::int
        and i.due_date >= (${now}::timestamptz at time zone 'UTC')::date - 1 - b.grace_days
    )
    update invoices i set warned_days = due.stage
    from due, companies c
    where due.id = i.id and c.id = i.company_id and due.stage is not null and i.status = 'open'
      and (i.warned_days is null or i.warned_days > due.stage)
    returning i.id, i.company_id as "companyId", due.left_days as days, due.last_day as "lastDay",
      ${dueOf(sql`i.value`, sql`c.id`)} as due,
      c.name as company, c.language,
      case when coalesce(c.email, '') <> '' then array[c.email]
        else array(select u.email from users u where u.company_id = c.id and u.profile = 'admin'
          and ${sql.raw(hasEnteredSql("u.id"))} order by u.id limit 5)
      end as recipients`.execute(tx.db);
  return rows;
}
