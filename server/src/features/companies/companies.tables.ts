import type { ScheduleDay } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { ColumnType, Generated } from "kysely";

export interface CompaniesTable {
  id: Generated<number>;
  name: string;
  email: string | null;
  phone: Generated<string>;
  plan_id: number | null;
  is_active: Generated<boolean>;
  /** A calendar day in the company's time zone. */
  due_date: string | null;
  /** The day of the month that it stands for, by `dueDayOf`; null: its own. */
  due_day: Generated<number | null>;
  trial_expiration: Date | null;
  recurrence: Generated<string>;
  time_zone: Generated<string>;
  language: Generated<Language>;
  schedules: ColumnType<ScheduleDay[] | null, string | null, string | null>;
  token_hash: string | null;
  billing_name: Generated<string>;
  address_zip_code: Generated<string>;
  address_street: Generated<string>;
  address_district: Generated<string>;
  address_city: Generated<string>;
  address_state: Generated<string>;
  tax_id: Generated<string>;
  created_at: Generated<Date>;
  /** Soft-deleted since then; a job erases the rest. */
  deleted_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    companies: CompaniesTable;
  }
}
