import { pageSize } from "@prosa/contract";
import type { CompanyAccount, Recurrence, ScheduleDay } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { CompanyLocale } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { overdueFromSql } from "#server/platform/db/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { PlanRow } from "#server/features/plans/index.ts";
import type {} from "./companies.tables.ts";

export interface CompanyFields {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string;
  readonly plan_id: number;
  readonly due_date: string | null;
  readonly trial_expiration: Date | null;
  readonly recurrence: string;
  readonly time_zone: string;
  readonly language: Language;
}

/** Undefined when the name is taken. */
export async function insertCompany(tx: SystemTx, fields: CompanyFields): Promise<number | undefined> {
  const row = await tx.db
    .insertInto("companies")
    .values(fields)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export interface CompanyPlanRow {
  readonly id: number;
  readonly name: string;
  readonly due_date: string | null;
  readonly plan: PlanRow | null;
}

/** In a system transaction: the operator may read any company. */
export async function findCompanyPlan(tx: SystemTx, companyId: number): Promise<CompanyPlanRow | undefined> {
  return tx.db
    .selectFrom("companies")
    .leftJoin("plans", "plans.id", "companies.plan_id")
    .select([
      "companies.id",
      "companies.name",
      "due_date",
      sql<PlanRow | null>`case when plans.id is not null then to_json(plans) end`.as("plan"),
    ])
    .where("companies.id", "=", companyId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** The profile of a company; `schedules` is null until an admin saves them. */
export interface CompanyProfileRow {
  readonly id: number;
  readonly name: string;
  readonly timeZone: string;
  readonly language: Language;
  readonly schedules: ScheduleDay[] | null;
}

export async function findCompanyProfile(ctx: Ctx): Promise<CompanyProfileRow> {
  return ctx.db
    .selectFrom("companies")
    .select(["id", "name", "time_zone as timeZone", "language", "schedules"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}

/** Billing, and whether there is an API token. */
export type CompanyAccountRow = Omit<CompanyAccount, "token">;

const account =
  sql<CompanyAccountRow>`json_build_object('billingName', billing_name, 'addressZipCode', address_zip_code,
  'addressStreet', address_street, 'addressDistrict', address_district, 'addressCity', address_city,
  'addressState', address_state, 'taxId', tax_id, 'hasToken', token_hash is not null)`.as("account");

export async function findCompanyAccount(ctx: Ctx): Promise<CompanyAccountRow> {
  const row = await ctx.db
    .selectFrom("companies")
    .select(account)
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
  return row.account;
}

/** Absent columns stay. */
export type CompanyAccountUpdate = Partial<
  Record<
    | "billing_name"
    | "address_zip_code"
    | "address_street"
    | "address_district"
    | "address_city"
    | "address_state"
    | "tax_id",
    string
  > & { token_hash: string | null }
>;

/** The time zone, which no other request changes until the transaction ends. */
export async function lockTimeZone(ctx: Ctx): Promise<string> {
  const { time_zone: timeZone } = await ctx.db
    .selectFrom("companies")
    .select("time_zone")
    .where("id", "=", ctx.companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return timeZone;
}

interface ProfileUpdate {
  readonly time_zone?: string | undefined;
  readonly language?: Language | undefined;
  readonly schedules?: string;
}

/** Saves what is given, of which there is something; an absent field stays. */
export async function saveCompany(ctx: Ctx, fields: ProfileUpdate | CompanyAccountUpdate): Promise<void> {
  await ctx.db.updateTable("companies").set(fields).where("id", "=", ctx.companyId).execute();
}

/** Is the company neither deactivated nor deleted? */
export async function isCompanyActive(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("companies")
    .select("is_active")
    .where("id", "=", ctx.companyId)
    .executeTakeFirst();
  return row?.is_active === true;
}

/** What every open page of the company follows: what is paid, and the time zone of all times on its screens. */
export interface OwnCompanyRow {
  readonly id: number;
  readonly name: string;
  readonly dueDate: string | null;
  readonly trialExpiration: Date | null;
  readonly timeZone: string;
}

export async function findOwnCompany(ctx: Ctx): Promise<OwnCompanyRow> {
  return ctx.db
    .selectFrom("companies")
    .select(["id", "name", "due_date as dueDate", "trial_expiration as trialExpiration", "time_zone as timeZone"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}

/** Until when a company is served. */
export interface CompanyService {
  /** False while the operator has switched it off. */
  readonly isActive: boolean;
  /** The moment after its due date and the operator's days of grace, in its time zone; null without a due date. */
  readonly endsAt: Date | null;
}

export async function findCompanyService(ctx: Ctx): Promise<CompanyService> {
  return ctx.db
    .selectFrom("companies")
    .select(["is_active as isActive", sql.raw<Date | null>(overdueFromSql("companies")).as("endsAt")])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}

export async function findCompanyLocale(ctx: Ctx): Promise<CompanyLocale | undefined> {
  return ctx.db
    .selectFrom("companies")
    .select(["time_zone as timeZone", "language"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirst();
}

/** Every company of the installation, the oldest first. */
export async function findCompanies(tx: SystemTx): Promise<{ id: number; name: string }[]> {
  return tx.db.selectFrom("companies").select(["id", "name"]).where("deleted_at", "is", null).orderBy("id").execute();
}

/** Deletes the company; its rows go by cascade, its files and jobs do not. */
export async function deleteCompany(tx: SystemTx, id: number): Promise<void> {
  await tx.db.deleteFrom("companies").where("id", "=", id).execute();
}

/** A company as the operator sees it. */
export interface CompanyRow {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string;
  readonly plan: PlanRow | null;
  readonly is_active: boolean;
  readonly due_date: string | null;
  readonly due_day: number | null;
  readonly recurrence: Recurrence;
  readonly trial_expiration: Date | null;
  readonly created_at: Date;
  readonly time_zone: string;
  readonly language: CompanyProfileRow["language"];
  readonly schedules: CompanyProfileRow["schedules"];
  readonly account: CompanyAccountRow;
  readonly settings: readonly { readonly key: string; readonly value: string }[];
}

function selectCompanies(tx: SystemTx) {
  return tx.db
    .selectFrom("companies")
    .leftJoin("plans", "plans.id", "companies.plan_id")
    .select([
      "companies.id",
      "companies.name",
      "email",
      "phone",
      "is_active",
      "due_date",
      "due_day",
      sql<Recurrence>`recurrence`.as("recurrence"),
      "trial_expiration",
      "companies.created_at",
      "time_zone",
      "language",
      "schedules",
      account,
      sql<PlanRow | null>`case when plans.id is not null then to_json(plans) end`.as("plan"),
      sql<CompanyRow["settings"]>`coalesce((select json_agg(json_build_object('key', s.key, 'value', s.value))
        from settings s where s.company_id = companies.id), '[]')`.as("settings"),
    ])
    .where("deleted_at", "is", null)
    .orderBy(sql`folded(companies.name)`);
}

export async function findEveryCompany(tx: SystemTx): Promise<CompanyRow[]> {
  return selectCompanies(tx).execute();
}

export async function findCompany(tx: SystemTx, id: number): Promise<CompanyRow | undefined> {
  return selectCompanies(tx).where("companies.id", "=", id).executeTakeFirst();
}

/** The company's consent to support, and whether the operator asks for one (`support_grants`). */
export interface SupportColumns {
  readonly support_until: Date | null;
  readonly support_asked: boolean;
}

/** By name, e-mail or phone. */
export async function searchCompanies(
  tx: SystemTx,
  { searchParam, pageNumber, now }: { searchParam: string; pageNumber: number; now: Date },
): Promise<{ rows: (CompanyRow & SupportColumns)[]; count: number }> {
  const match = sql<boolean>`(${searchParam} = '' or strpos(
    folded(concat_ws(' ', companies.name, companies.email, companies.phone)), folded(${searchParam})) > 0)`;
  const [rows, { count }] = await Promise.all([
    selectCompanies(tx)
      .select([
        sql<Date | null>`(select g.until from support_grants g
          where g.company_id = companies.id and g.granted_at is not null and g.ended_at is null and g.until > ${now})`.as(
          "support_until",
        ),
        sql<boolean>`exists (select from support_grants g
          where g.company_id = companies.id and g.granted_at is null and g.ended_at is null)`.as("support_asked"),
      ])
      .where(match)
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    tx.db
      .selectFrom("companies")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("deleted_at", "is", null)
      .where(match)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** Locks the row until the transaction ends. */
export async function lockCompany(tx: SystemTx, id: number): Promise<{ name: string; is_active: boolean } | undefined> {
  return tx.db
    .selectFrom("companies")
    .select(["name", "is_active"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

export type CompanyUpdate = Partial<
  Pick<CompanyFields, "name" | "email" | "phone" | "plan_id" | "due_date" | "recurrence" | "trial_expiration"> & {
    is_active: boolean;
    due_day: number | null;
  }
> &
  CompanyAccountUpdate;

/** Throws where the name is taken or there is no such plan. */
export async function updateCompanyRow(tx: SystemTx, id: number, columns: CompanyUpdate): Promise<void> {
  if (Object.keys(columns).length > 0) {
    await tx.db.updateTable("companies").set(columns).where("id", "=", id).execute();
  }
}

/** Hides the company and frees its name and plan. */
export async function softDeleteCompany(tx: SystemTx, id: number, now: Date): Promise<void> {
  await tx.db
    .updateTable("companies")
    .set({
      ...{ deleted_at: now, is_active: false, plan_id: null },
      // Longer than a form can make one (50 characters): a name that somebody has would keep the company from being deleted.
      name: sql`rpad(name, 50) || ' #' || id`,
    })
    .where("id", "=", id)
    .execute();
}

/** Locks a company that is deleted and not erased yet until the transaction ends; with the name that `softDeleteCompany` has freed. */
export async function lockDeleted(tx: SystemTx, id: number): Promise<{ readonly name: string } | undefined> {
  return tx.db
    .selectFrom("companies")
    .select(sql<string>`rtrim(left(name, 50))`.as("name"))
    .where("id", "=", id)
    .where("deleted_at", "is not", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Moves the due date of a company that has one before `earliest`; returns its id where it was moved. */
export async function postponeDueDate(
  tx: SystemTx,
  name: string,
  { earliest, dueDate }: { readonly earliest: string; readonly dueDate: string },
): Promise<number | undefined> {
  const row = await tx.db
    .updateTable("companies")
    .set({ due_date: dueDate, due_day: null })
    .where("name", "=", name)
    .where("due_date", "<", earliest)
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** What decides on a company's next due date. */
export interface PayingCompany {
  readonly name: string;
  readonly dueDate: string | null;
  /** See `dueDayOf`. */
  readonly dueDay: number | null;
  readonly timeZone: string;
}

/** Locks the company against other payments and changes by the operator. */
export async function lockForPayment(tx: SystemTx, id: number): Promise<PayingCompany | undefined> {
  return tx.db
    .selectFrom("companies")
    .select(["name", "due_date as dueDate", "due_day as dueDay", "time_zone as timeZone"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Whether the period that begins on this due date was paid. */
export async function hasPaidInvoiceOf(tx: SystemTx, companyId: number, dueDate: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom("invoices")
    .select("id")
    .where("company_id", "=", companyId)
    .where("due_date", "=", dueDate)
    .where("status", "=", "paid")
    .executeTakeFirst();
  return row !== undefined;
}
