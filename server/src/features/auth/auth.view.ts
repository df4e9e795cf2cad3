import { permissionRules, rulesFor } from "@prosa/contract";
import type { SessionUser } from "@prosa/contract";
import { allFlags, planView } from "#server/features/plans/index.ts";
import { settingsView } from "#server/features/settings/index.ts";
import type { LiveSession } from "#server/platform/auth/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { CompanyOfSessionRow, SessionUserRow } from "./auth.queries.ts";

export function sessionUserView(
  row: SessionUserRow,
  now: Date,
  { whatsapp: { simulator } }: Services["config"],
): SessionUser {
  const { company } = row;
  const isClosed = company.overdue_from !== null && Date.parse(company.overdue_from) <= now.getTime();
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    profile: row.profile,
    super: row.is_super,
    allTicket: row.all_ticket ? "enabled" : "desabled",
    whatsappId: row.connection_id,
    companyId: company.id,
    company: {
      id: company.id,
      name: company.name,
      email: company.email,
      dueDate: company.due_date,
      ...(isClosed && { isClosed }),
      trialExpiration: company.trial_expiration && new Date(company.trial_expiration).toISOString(),
      timeZone: company.time_zone,
      settings: settingsView(row.settings),
      plan: row.plan && planView(row.plan),
    },
    queues: row.queues.map((queue) => ({ ...queue, UserQueue: { userId: row.id, queueId: queue.id } })),
    ...(simulator && { hasSimulator: true }),
    permissions: [...(row.is_super ? permissionRules : rulesFor(row.profile))],
  };
}

/** What a live session knows of its company. */
export function companyOfSessionView(
  row: CompanyOfSessionRow,
): Pick<LiveSession, "isActive" | "paid" | "plan" | "locale"> {
  return {
    isActive: row.is_active,
    paid: row.due_date && row.overdue_from ? { lastDay: row.due_date, endsAt: row.overdue_from } : null,
    plan: allFlags(row.flags),
    locale: { timeZone: row.time_zone, language: row.language },
  };
}
