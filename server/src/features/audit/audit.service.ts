import { auditEntry, auditFault, byteOrderMark, csvLine } from "@prosa/contract";
import type { AuditCheck, AuditEntry, AuditFilters } from "@prosa/contract";
import { recordAudit, recordAuditOf, verifyAudit, verifyAuditOf } from "#server/platform/audit/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { listOperators } from "#server/features/users/index.ts";
import { auditFaultMail } from "./audit-fault-mail.ts";
import { findAudit, findCheck, findCompanyName, findOperatorMails } from "./audit.queries.ts";
import type { AuditRow } from "./audit.queries.ts";

const pageRows = 50;
const exportRows = 1_000;

/** Entries of the company's log before an id (V-01), the latest first, and what the last check of its chain found. */
export async function listAudit(ctx: Ctx, { before, ...filters }: AuditFilters & { readonly before: string }) {
  const [rows, check] = await Promise.all([findAudit(ctx, filters, before, pageRows + 1), auditCheckOf(ctx)]);
  return { records: rows.slice(0, pageRows).map(entryView), hasMore: rows.length > pageRows, check };
}

export async function auditCheckOf(ctx: Ctx): Promise<AuditCheck> {
  const row = await findCheck(ctx);
  return {
    checkedAt: row?.checked_at?.toISOString() ?? null,
    length: Number(row?.seq ?? 0),
    fault: row?.fault ? auditFault.parse(row.fault) : null,
  };
}

/** Streams the log as csv, whose cells no spreadsheet takes for formulas. Holds one page of rows in memory. */
export async function* exportAudit(
  { read, inCompany }: Pick<RequestScope, "read" | "inCompany">,
  filters: AuditFilters,
): AsyncGenerator<string> {
  await inCompany((ctx) => recordAudit(ctx, { action: "audit.exported", target: { type: "audit" }, details: filters }));
  yield byteOrderMark + csvLine([...columns]);
  let before = "";
  for (;;) {
    const from = before;
    const rows = await read((ctx) => findAudit(ctx, filters, from, exportRows));
    const last = rows.at(-1);
    if (!last) {
      return;
    }
    yield rows.map((row) => csvLine(cellsOf(row))).join("");
    before = last.id;
  }
}

const columns = [
  "seq",
  "at",
  "who",
  "userId",
  "user",
  "action",
  "target",
  "targetId",
  "targetName",
  "details",
  "address",
  "userAgent",
] as const;

function cellsOf(row: AuditRow): string[] {
  return [
    row.seq ?? "",
    row.at.toISOString(),
    row.actor_kind,
    String(row.user_id ?? ""),
    row.user_name ?? "",
    row.action,
    row.target_type ?? "",
    row.target_id ?? "",
    row.target_name ?? "",
    JSON.stringify(row.details),
    row.address ?? "",
    row.user_agent ?? "",
  ];
}

function entryView(row: AuditRow): AuditEntry {
  return auditEntry.parse({
    id: row.id,
    seq: row.seq,
    at: row.at.toISOString(),
    actorKind: row.actor_kind,
    userId: row.user_id,
    userName: row.user_name,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    targetName: row.target_name,
    details: row.details,
    address: row.address,
    userAgent: row.user_agent,
    isErased: row.is_erased,
  });
}

/** Verifies the chain of the company now. */
export async function verifyOwnAudit(services: Services, edge: Pick<RequestScope, "actor" | "read" | "log">) {
  const companyId = edge.actor?.companyId ?? 0;
  const fault = await verifyAuditOf(services, companyId);
  if (fault) {
    edge.log.error({ companyId, fault }, "audit log does not hold");
  }
  return edge.read(auditCheckOf);
}

/**
 * Verifies the chains of all companies. A fault is logged as an error, shown to the company's admin, recorded in its log and in
 * that of the operators, and mailed to them where a mail server is set.
 */
export async function verifyEveryAudit(services: Services, log: Logger, signal: AbortSignal) {
  const { db, clock, config, publicUrl } = services;
  const faults = await verifyAudit(services, signal);
  for (const [companyId, fault] of faults) {
    log.error({ companyId, fault }, "audit log does not hold");
    await db.systemTx(async (tx) => {
      const operators = await listOperators(tx);
      for (const id of new Set([companyId, ...operators.map((operator) => operator.companyId)])) {
        const entry = {
          action: "audit.check-failed",
          target: { type: "audit", id: companyId },
          details: { ...fault },
        } as const;
        await recordAuditOf(tx, { companyId: id, now: clock.now(), actor: { kind: "system" } }, entry);
      }
      if (config.mail.smtpUrl !== undefined) {
        const company = await findCompanyName(tx, companyId);
        for (const operator of await findOperatorMails(tx)) {
          sendMail(
            { enqueue: (job) => tx.enqueue(operator.companyId, job) },
            auditFaultMail(operator, {
              company: `${company} (#${companyId})`,
              fault,
              url: `${publicUrl()}/settings?tab=audit`,
            }),
          );
        }
      }
    });
  }
  return [...faults].map(([companyId, fault]) => ({ companyId, ...fault }));
}
