import { randomUUID } from "node:crypto";
import type { SessionUser } from "@prosa/contract";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { AccessClaims, LiveSession } from "#server/platform/auth/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import type { UserActor } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { supportEnded } from "../auth.events.ts";
import { companyOfSessionView, sessionUserView } from "../auth.view.ts";
import {
  endSupportRows,
  findHomeOf,
  insertSupportSession,
  liveSupportStatement,
  supportOfHomeStatement,
  supportUserStatement,
} from "./support-sessions.queries.ts";
import type { Services } from "#server/platform/services.ts";
import type { SupportFilter } from "./support-sessions.queries.ts";

/**
 * Support sessions (decision 0225). One hangs on the operator's own session and has no refresh cookie: the cookie of the own
 * session gets an access token for the company that is entered, as long as everything holds that it depends on.
 */

/** Marks the session ids of access tokens. */
const prefix = "support:";

export function isSupportId(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

function rowIdOf(sessionId: string): string {
  return sessionId.slice(prefix.length);
}

/** For the authentication of requests and sockets: an admin of the company, who is none of its users. */
export async function loadSupportSession(
  db: Db,
  clock: Clock,
  { userId, companyId, sessionId }: AccessClaims,
): Promise<LiveSession | undefined> {
  const [row] = await db.systemRaw(liveSupportStatement, [clock.now(), rowIdOf(sessionId), userId, companyId]);
  return (
    row && {
      actor: {
        kind: "user",
        userId,
        companyId,
        sessionId,
        name: row.name,
        profile: "admin",
        isSuper: false,
        allTicket: true,
        queueIds: row.queue_ids,
        support: { grantId: row.grant_id, homeSessionId: row.home_session_id },
      },
      endsAt: row.until,
      ...companyOfSessionView(row),
    }
  );
}

/** Where the operator of a session is as support, if anywhere. */
export async function findSupportClaims(db: Db, homeSessionId: string, now: Date): Promise<AccessClaims | undefined> {
  const [row] = await db.systemRaw(supportOfHomeStatement, [now, homeSessionId]);
  return row && { userId: row.operator_id, companyId: row.company_id, sessionId: `${prefix}${row.id}` };
}

/** The operator as the company's browser screens see them; undefined once it is over. */
export async function supportUser(
  { db, config }: Pick<Services, "db" | "config">,
  { sessionId, companyId }: Pick<AccessClaims, "sessionId" | "companyId">,
  now: Date,
): Promise<SessionUser | undefined> {
  const [row] = await db.systemRaw(supportUserStatement, [now, rowIdOf(sessionId), companyId]);
  return row && { ...sessionUserView(row, now, config), support: { until: row.until.toISOString() } };
}

/** Opens a support session from the operator's own one, and ends another that was entered from it. */
export async function openSupportSession(
  tx: SystemTx,
  operator: UserActor,
  entered: { readonly companyId: number; readonly grantId: number },
  now: Date,
): Promise<AccessClaims> {
  await endSupportSessions(tx, { homeSessionId: operator.sessionId }, now);
  const id = randomUUID();
  await insertSupportSession(tx, {
    id,
    company_id: entered.companyId,
    grant_id: entered.grantId,
    operator_id: operator.userId,
    operator_name: operator.name,
    home_session_id: operator.sessionId,
    began_at: now,
  });
  return { userId: operator.userId, companyId: entered.companyId, sessionId: `${prefix}${id}` };
}

/** Ends support sessions: their requests and sockets are refused at once. Each end is written in the company's log. */
export async function endSupportSessions(tx: SystemTx, which: SupportFilter, now: Date): Promise<void> {
  for (const ended of await endSupportRows(tx, which, now)) {
    const { id, company_id: companyId, grant_id, operator_id: userId, operator_name: name } = ended;
    tx.emit(companyId, supportEnded(`${prefix}${id}`));
    await recordAuditOf(
      tx,
      { companyId, now, actor: { kind: "support", userId, name } },
      { action: "support.left", target: { type: "support", id: grant_id, name } },
    );
  }
}

/** Ends the one of an access token; returns the operator's own session. */
export async function leaveSupport(tx: SystemTx, sessionId: string, now: Date): Promise<string | undefined> {
  await endSupportSessions(tx, { id: rowIdOf(sessionId) }, now);
  return findHomeOf(tx, rowIdOf(sessionId));
}
