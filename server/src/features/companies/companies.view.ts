import { defaultSchedules, dueDayOf } from "@prosa/contract";
import type { CompanyDetails, CompanyRecord, CompanySupport } from "@prosa/contract";
import { planView } from "#server/features/plans/index.ts";
import { settingsView } from "#server/features/settings/index.ts";
import type { CompanyRow, SupportColumns } from "./companies.queries.ts";

export function companyView(row: CompanyRow): CompanyRecord {
  const settings = settingsView(row.settings);
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? "",
    phone: row.phone,
    planId: row.plan?.id ?? null,
    plan: row.plan && planView(row.plan),
    status: row.is_active,
    campaignsEnabled: settings.some(({ key, value }) => key === "campaignsEnabled" && value === "true"),
    dueDate: row.due_date,
    dueDay: row.due_date === null ? null : dueDayOf(row.due_date, row.due_day),
    recurrence: row.recurrence,
    isTrial: row.trial_expiration !== null,
    createdAt: row.created_at.toISOString(),
    ...row.account,
    settings,
  };
}

/** The record and the profile. */
export function companyDetailsView(row: CompanyRow): CompanyDetails {
  const { time_zone: timeZone, language, schedules } = row;
  return { ...companyView(row), timeZone, language, schedules: schedules ?? defaultSchedules };
}

/** Whether the operator may enter it as support, or has asked to. */
export function supportOf({ support_until: until, support_asked }: SupportColumns): CompanySupport {
  return { state: until ? "allowed" : support_asked ? "asked" : "none", until: until?.toISOString() ?? null };
}
