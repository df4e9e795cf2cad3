export { auditInsert } from "./audit.queries.ts";
export type { NewAuditRow } from "./audit.queries.ts";

export { requestCaller, runForCaller } from "./caller.ts";
export type { RequestCaller } from "./caller.ts";
export { auditRowOf, changedFields, recordAudit, recordAuditOf } from "./record.ts";
export type { AuditActor, AuditEntry, AuditOrigin, AuditScope } from "./record.ts";
export { chainAudit } from "./chain.ts";
export { verifyAudit, verifyAuditOf } from "./verify.ts";
export type { AuditFault } from "./verify.ts";
export { redactAudit } from "./redact.ts";
