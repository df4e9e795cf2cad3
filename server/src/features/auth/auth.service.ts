import type { SessionUser } from "@prosa/contract";
import { recordAudit, recordAuditOf } from "#server/platform/audit/index.ts";
import type { AuditEntry } from "#server/platform/audit/index.ts";
import { hashSecret } from "#server/platform/auth/index.ts";
import type { AccessClaims, LiveSession, LoadSession } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { readRefreshCookie, refreshCookieOf } from "./auth.cookie.ts";
import { sessionEnded } from "./auth.events.ts";
import type { SessionEndReason } from "./auth.events.ts";
import {
  deleteSessionsBefore,
  endSessions,
  findPersonOfSession,
  findSession,
  findCompanyAccess,
  liveSessionStatement,
  lockSession,
  saveRotation,
  sessionUserStatement,
} from "./auth.queries.ts";
import type { SessionRow, SessionFilter } from "./auth.queries.ts";
import { judgeRefresh } from "./auth.refresh.ts";
import { companyAccessError } from "./auth.company-access.ts";
import { refreshExpiry } from "./auth.sign-in.ts";
import type { Caller, OpenedSession } from "./auth.sign-in.ts";
import { companyOfSessionView, sessionUserView } from "./auth.view.ts";
import { isSupportId, leaveSupport, loadSupportSession } from "./support-sessions/index.ts";

/** Invalid cookies per address: all browsers of an office may send one at once after their sessions ended. */
const invalidCookieRate = { max: 300, perSeconds: 60 };

/**
 * Exchanges the refresh cookie for a new one. A reused cookie, which was exchanged before, ends the session. Throws
 * ERR_NOT_SIGNED_IN, with the detail `reason` where a session has ended; ERR_COMPANY_DISABLED and
 * ERR_SUBSCRIPTION_EXPIRED, after which the cookie stays valid; ERR_TOO_MANY_REQUESTS for an address that keeps sending
 * invalid cookies.
 */
export async function refreshSession(
  services: Services,
  cookie: string | undefined,
  { address }: Pick<Caller, "address">,
): Promise<OpenedSession> {
  if (cookie === undefined) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  const { limiter } = services;
  const key = `refresh:${addressBlock(address)}`;
  limiter.limit(key, invalidCookieRate);
  try {
    const session = await exchangeRefreshCookie(services, cookie);
    limiter.returnToken(key, invalidCookieRate);
    return session;
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_NOT_SIGNED_IN") {
      // Counted over all processes, too; a valid cookie costs no statement for it.
      await enforceSharedLimit(services, key, invalidCookieRate);
    } else {
      limiter.returnToken(key, invalidCookieRate);
    }
    throw error;
  }
}

async function exchangeRefreshCookie(services: Services, cookie: string): Promise<OpenedSession> {
  const { db, signer, clock } = services;
  const presented = readRefreshCookie(signer, cookie);
  if (!presented) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }

  // The end of a reused session must be saved: the error is thrown after the transaction, not in it.
  const outcome = await db.systemTx(async (tx) => {
    const session = await lockSession(tx, presented.sessionId);
    if (!session) {
      return { reason: null };
    }
    const now = clock.now();
    const verdict = judgeRefresh(session, presented.hash, now);
    const companyAccess = await findCompanyAccess(tx, session.user_id);
    const refused =
      companyAccess && ["rotate", "repeat"].includes(verdict) ? companyAccessError(companyAccess, now) : undefined;
    if (refused) {
      // Not exchanged: the same cookie is valid again once the company has paid.
      return { refused };
    }
    switch (verdict) {
      case "rotate":
        return rotate(services, tx, session, now);
      case "repeat":
        return openedSessionOf(session, refreshCookieOf(signer, session));
      case "reused":
        await endAndPublish(tx, { sessionId: session.id }, "reused", now);
        return { reason: "reused" };
      case "over":
        return { reason: session.ended_reason };
    }
  });
  if ("refused" in outcome) {
    throw outcome.refused;
  }
  if ("reason" in outcome) {
    services.sessions.forgetSession(presented.sessionId);
    throw new AppError("ERR_NOT_SIGNED_IN", outcome.reason === null ? undefined : { reason: outcome.reason });
  }
  return outcome;
}

async function rotate({ signer }: Services, tx: SystemTx, session: SessionRow, now: Date): Promise<OpenedSession> {
  const next = {
    id: session.id,
    // Later than the last rotation even within one millisecond: no two cookies of a session are equal.
    rotated_at: new Date(Math.max(now.getTime(), session.rotated_at.getTime() + 1)),
    expires_at: refreshExpiry(now),
  };
  const cookie = refreshCookieOf(signer, next);
  await saveRotation(tx, session.id, {
    refresh_hash: hashSecret(cookie),
    previous_hash: session.refresh_hash,
    rotated_at: next.rotated_at,
    expires_at: next.expires_at,
  });
  return openedSessionOf({ ...session, ...next }, cookie);
}

function openedSessionOf(session: SessionRow, cookie: string): OpenedSession {
  return {
    sessionId: session.id,
    userId: session.user_id,
    companyId: session.company_id,
    cookie,
    expiresAt: session.expires_at,
  };
}

/** The claims of a live session by its refresh cookie, without a rotation. */
export async function claimsOfCookie(
  services: Services,
  cookie: string | undefined,
): Promise<AccessClaims | undefined> {
  const presented = cookie === undefined ? undefined : readRefreshCookie(services.signer, cookie);
  const session = presented && (await findSession(services.db, presented.sessionId));
  const isLive = session && ["rotate", "repeat"].includes(judgeRefresh(session, presented.hash, services.clock.now()));
  return isLive ? { userId: session.user_id, companyId: session.company_id, sessionId: session.id } : undefined;
}

/** Throws ERR_COMPANY_DISABLED or ERR_SUBSCRIPTION_EXPIRED where this person may not use their company's account. */
export async function requireCompanyAccess(
  { db, clock }: Services,
  { userId }: Pick<AccessClaims, "userId">,
): Promise<void> {
  await db.systemTx((tx) => requireAccessOf(tx, userId, clock.now()));
}

/** The same in a transaction. */
export async function requireAccessOf(tx: SystemTx, userId: number, now: Date): Promise<void> {
  const companyAccess = await findCompanyAccess(tx, userId);
  const refused = companyAccess && companyAccessError(companyAccess, now);
  if (refused) {
    throw refused;
  }
}

/**
 * Signs out: the refresh cookie and the access tokens of this session no longer work. Who is in another company as
 * support leaves it and signs out.
 */
export async function signOut({ db, clock, sessions }: Services, presentedId: string): Promise<void> {
  let sessionId = presentedId;
  await db.systemTx(async (tx) => {
    if (isSupportId(presentedId)) {
      sessionId = (await leaveSupport(tx, presentedId, clock.now())) ?? presentedId;
      if (sessionId === presentedId) {
        return;
      }
    }
    const person = await findPersonOfSession(tx, sessionId);
    await endAndPublish(tx, { sessionId }, "signed out", clock.now());
    if (person) {
      const actor = { kind: "user", userId: person.id, name: person.name } as const;
      const scope = { companyId: person.company_id, now: clock.now(), actor };
      await recordAuditOf(tx, scope, { action: "session.signed-out", target: { type: "user", ...person } });
    }
  });
  // Other processes drop the cached session by the event; this one does at once, before the next request.
  [sessionId, presentedId].forEach((id) => sessions.forgetSession(id));
}

/**
 * Ends a user's sessions in the transaction that saves a new password, except the session that changed it.
 */
export async function endSessionsOfUser(ctx: Ctx, userId: number): Promise<void> {
  const { actor } = ctx;
  const except = actor.kind === "user" && actor.userId === userId ? actor.sessionId : null;
  for (const { id } of await endSessions(ctx, { userId, except }, "password", ctx.now())) {
    ctx.emit(sessionEnded({ userId, sessionIds: [id], keptSessionId: null, reason: "password" }));
    await recordAudit(ctx, endedEntry(userId, "password"));
  }
}

/** The same over all companies, without an actor; `except` is a session that stays. */
export async function endEverySessionOf(
  tx: SystemTx,
  userId: number,
  now: Date,
  except: string | null = null,
): Promise<void> {
  await endAndPublish(tx, { userId, except }, "password", now);
}

/** Ends all sessions of a company, in the transaction that closes it. */
export async function endSessionsOfCompany(tx: SystemTx, companyId: number, now: Date): Promise<void> {
  await endAndPublish(tx, { companyId }, "company", now);
}

/** The signed-in user, as sent to the browser. Throws ERR_NOT_SIGNED_IN where the account is gone. */
export async function sessionUser(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  claims: Pick<AccessClaims, "userId" | "companyId">,
): Promise<SessionUser> {
  const [row] = await db.systemRaw(sessionUserStatement, [claims.userId, claims.companyId]);
  if (!row) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return sessionUserView(row, clock.now(), config);
}

/** For the authentication of requests: loads the actor of a live session, and what their company may. */
export function sessionLoader(db: Db, clock: Clock): LoadSession {
  return async ({ userId, companyId, sessionId }): Promise<LiveSession | undefined> => {
    if (isSupportId(sessionId)) {
      return loadSupportSession(db, clock, { userId, companyId, sessionId });
    }
    const [row] = await db.readOne(companyId, liveSessionStatement, [sessionId, userId, clock.now()]);
    return (
      row && {
        actor: {
          kind: "user",
          userId,
          companyId,
          sessionId,
          name: row.name,
          profile: row.profile,
          isSuper: row.is_super,
          allTicket: row.all_ticket,
          queueIds: row.queue_ids,
        },
        expiresAt: row.expires_at,
        ...companyOfSessionView(row),
      }
    );
  };
}

/** Deletes sessions that ended more than a month ago. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
  await deleteSessionsBefore(db, new Date(now.getTime() - 30 * 24 * 3_600_000));
}

async function endAndPublish(tx: SystemTx, which: SessionFilter, reason: SessionEndReason, now: Date): Promise<void> {
  for (const { id, company_id: companyId, user_id: userId } of await endSessions(tx, which, reason, now)) {
    tx.emit(companyId, sessionEnded({ userId, sessionIds: [id], keptSessionId: null, reason }));
    if (writtenReasons.has(reason)) {
      await recordAuditOf(tx, { companyId, now }, endedEntry(userId, reason));
    }
  }
}

/** Ends that no other entry tells of: a sign-out, a sign-in elsewhere and a company that is closed have their own. */
const writtenReasons: ReadonlySet<SessionEndReason> = new Set(["reused", "password"]);

function endedEntry(userId: number, reason: SessionEndReason): AuditEntry {
  return { action: "session.ended", target: { type: "user", id: userId }, details: { reason } };
}
