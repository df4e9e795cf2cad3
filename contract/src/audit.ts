import { z } from "zod";
import { dayOrNone, idOrNone, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

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
  "company.export-requested",
  "company.export-downloaded",
  "company.export-cancelled",
  "company.export-deleted",
  "settings.updated",
  "plan.created",
  "plan.updated",
  "plan.deleted",
  "invoice.issued",
  "invoice.paid",
  "invoice.marked-paid",
  "invoice.cancelled",
  "invoice.reopened",
  "payment.returned",
  "payment.restored",
  "payment.unassigned",
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
  "api-key.created",
  "api-key.revoked",
  "integration.created",
  "integration.updated",
  "integration.secret-changed",
  "integration.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.secret-changed",
  "webhook.deleted",
  "prompt.created",
  "prompt.updated",
  "prompt.deleted",
  "knowledge.created",
  "knowledge.updated",
  "knowledge.deleted",

  // what was deleted, taken out and brought in
  "contact.deleted",
  "contact.merged",
  "contact.merge-undone",
  "ticket.deleted",
  "message.deleted",
  "campaign.created",
  "campaign.started",
  "campaign.cancelled",
  "campaign.deleted",
  "contact-list.deleted",
  "contacts.exported",
  "contacts.imported",
  "contact.history-imported",
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
  "support.asked",
  "support.allowed",
  "support.declined",
  "support.revoked",
  "support.entered",
  "support.left",
  "support.acted",
  "support.refused",
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
  "api-key",
  "integration",
  "webhook",
  "prompt",
  "knowledge",
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

export const auditFault = z.object({
  kind: z.enum(["changed", "missing", "inserted", "head"]),
  /** The number of the entry in the chain. */
  seq: z.string(),
  id: z.string().nullable(),
});

export const auditEntry = z.object({
  id: z.string(),
  /** Its number in the chain; null until it is chained, within a minute. */
  seq: z.string().nullable(),
  at: instant,
  actorKind: z.enum(auditActorKinds),
  userId: z.number().int().nullable(),
  userName: z.string().nullable(),
  action: z.enum(auditActions),
  targetType: z.enum(auditTargets).nullable(),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** A privacy erasure emptied the name and the details. */
  isErased: z.boolean(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** What the last check of the company's chain found. */
export const auditCheck = z.object({
  checkedAt: instant.nullable(),
  /** Entries that are chained. */
  length: z.number().int(),
  fault: auditFault.nullable(),
});
export type AuditCheck = z.output<typeof auditCheck>;

const filters = z.object({
  /** 0: everybody. */
  userId: idOrNone.default(0),
  action: z.union([z.literal(""), z.enum(auditActions)]).default(""),
  targetType: z.union([z.literal(""), z.enum(auditTargets)]).default(""),
  targetId: z.string().trim().max(50).default(""),
  /** Days in the company's time zone, both included. */
  dateFrom: dayOrNone,
  dateTo: dayOrNone,
});
export type AuditFilters = z.output<typeof filters>;

export const audit = {
  list: endpoint({
    method: "GET",
    path: "/audit",
    summary: "The company's audit log, the latest first: entries before `before`, some at a time",
    access: { who: "admin" },
    query: filters.extend({ before: z.union([z.literal(""), z.string().regex(/^\d{1,18}$/)]).default("") }),
    response: z.object({ records: z.array(auditEntry), hasMore: z.boolean(), check: auditCheck }),
  }),
  export: endpoint({
    method: "GET",
    path: "/audit/export",
    summary: "The company's audit log as a csv file, the latest first",
    access: { who: "admin" },
    query: filters,
    response: z.string(),
    isSlow: true,
  }),
  verify: endpoint({
    method: "POST",
    path: "/audit/verify",
    summary: "Verify the chain of the company's audit log now",
    access: { who: "admin" },
    response: auditCheck,
    isSlow: true,
  }),
  verifyAll: endpoint({
    method: "POST",
    path: "/audit/verify-all",
    summary: "Verify the chains of all companies now; returns those that do not hold",
    access: { who: "super" },
    response: z.object({ faults: z.array(auditFault.extend({ companyId: z.number().int() })) }),
    isSlow: true,
  }),
} as const;
