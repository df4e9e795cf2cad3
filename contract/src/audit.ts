/**
 * What the audit log records (V-01): `<noun>.<what happened>`. A new action needs its words in
 * web/src/features/audit/audit-actions.i18n.ts, which the compiler demands.
 */
export const auditActions = [
  // who comes and goes
  "session.signed-in",
  "session.refused",
  "session.signed-out",
  "session.ended",
  "password.reset-requested",
  "password.reset",
  "password.changed",
  "two-factor.enabled",
  "two-factor.disabled",
  "two-factor.required",
  "two-factor.refused",
  "recovery-codes.created",
  "recovery-code.used",
  "passkey.added",
  "passkey.removed",

  // the company and its rules
  "company.signed-up",
  "company.created",
  "company.updated",
  "company.enabled",
  "company.disabled",
  "company.deleted",
  "settings.updated",
  "plan.created",
  "plan.updated",
  "plan.deleted",
  "invoice.issued",
  "invoice.paid",
  "invoice.marked-paid",
  "invoice.cancelled",
  "invoice.updated",
  "subscription.updated",

  // people and their rights
  "user.created",
  "user.updated",
  "user.rights-changed",
  "user.deleted",
  "user.invited",
  "queue.created",
  "queue.updated",
  "queue.deleted",
  "connection.created",
  "connection.updated",
  "connection.deleted",
  "connection.token-changed",

  // what was deleted, taken out and brought in
  "contact.deleted",
  "contact.merged",
  "ticket.deleted",
  "message.deleted",
  "campaign.created",
  "campaign.started",
  "campaign.cancelled",
  "campaign.deleted",
  "contact-list.deleted",
  "contacts.exported",
  "contacts.imported",
  "report.exported",
  "audit.exported",
  "audit.check-failed",

  // privacy
  "privacy.export-requested",
  "privacy.export-downloaded",
  "privacy.erasure-requested",
  "privacy.erased",
  "retention.updated",
  "retention.applied",

  // the operator as support
  "support.allowed",
  "support.revoked",
  "support.entered",
  "support.left",
  "support.acted",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What an entry is about. */
export const auditTargets = [
  "user",
  "company",
  "setting",
  "plan",
  "invoice",
  "queue",
  "connection",
  "contact",
  "ticket",
  "message",
  "campaign",
  "contact-list",
  "file",
  "audit",
  "support",
] as const;
export type AuditTarget = (typeof auditTargets)[number];

/** Who acted: a person, nobody in particular (a job), the operator, the operator as support, a line's API, or somebody not signed in. */
export const auditActorKinds = ["user", "system", "operator", "support", "line", "guest"] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];
