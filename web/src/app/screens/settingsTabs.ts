import type { SessionUser } from "@prosa/contract/auth";
import { hasFeature, isAdmin } from "#web/lib/session/permissions.ts";

const options = ["options"] as const;
const hours = ["schedules"] as const;
const ofAdmins = ["protection", "api-keys", "webhooks", "audit", "privacy"] as const;
const ofOperator = ["companies", "billing", "plans", "helps", "warm-up", "dead-jobs", "doctor"] as const;

export type SettingsTabKey =
  (typeof options)[number] | (typeof hours)[number] | (typeof ofAdmins)[number] | (typeof ofOperator)[number];

/** The tabs of the settings that somebody sees, in order (G-01); `scheduleType`: whose opening hours hold. */
export function settingsTabsOf(user: SessionUser, scheduleType: string | undefined): readonly SettingsTabKey[] {
  const hasApi = hasFeature(user, "useExternalApi");
  return [
    ...options,
    ...(scheduleType === "company" ? hours : []),
    ...(isAdmin(user) ? ofAdmins.filter((key) => hasApi || (key !== "api-keys" && key !== "webhooks")) : []),
    ...(user.super ? ofOperator : []),
  ];
}

/** The word of `settingsMessages` that names each tab. */
export const settingsTabLabels = {
  options: "tabOptions",
  schedules: "tabSchedules",
  protection: "tabProtection",
  "api-keys": "tabApiKeys",
  webhooks: "tabWebhooks",
  audit: "tabAudit",
  privacy: "tabPrivacy",
  companies: "tabCompanies",
  billing: "tabBilling",
  plans: "tabPlans",
  helps: "tabHelps",
  "warm-up": "tabWarmUp",
  "dead-jobs": "tabDeadJobs",
  doctor: "tabDoctor",
} as const satisfies Record<SettingsTabKey, string>;
