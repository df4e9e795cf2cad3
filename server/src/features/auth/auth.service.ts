import type { SessionUser } from "@prosa/contract";
import { hashSecret } from "#server/platform/auth/index.ts";
import type { AccessClaims, LiveSession, LoadSession } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { allFlags } from "#server/features/plans/index.ts";
import { readRefreshCookie, refreshCookieOf } from "./auth.cookie.ts";
import { sessionEnded } from "./auth.events.ts";
import type { EndReason } from "./auth.events.ts";
import {
  deleteSessionsBefore,
  endSessions,
  findSession,
  findStanding,
  liveSessionStatement,
  lockSession,
  saveRotation,
  sessionUserStatement,
} from "./auth.queries.ts";
import type { SessionRow, WhichSessions } from "./auth.queries.ts";
import { judgeRefresh } from "./auth.refresh.ts";
import { refusedBecause } from "./auth.standing.ts";
import { refreshExpiry } from "./auth.sign-in.ts";
import type { Caller, OpenedSession } from "./auth.sign-in.ts";
import { sessionUserView } from "./auth.view.ts";

/** Cookies that open nothing, by address: an office whose sessions all ended may ask at once. */
const deadCookies = { max: 300, perSeconds: 60 };

/**
 * Exchanges the refresh cookie for a new one. Throws ERR_NOT_SIGNED_IN; its detail `reason` says why a session
 * of ours is over. Whom their company does not let in meets ERR_COMPANY_DISABLED or
 * ERR_SUBSCRIPTION_EXPIRED, and keeps the cookie. A cookie that was exchanged earlier ends the session for whoever holds it now. An address that keeps
 * on sending cookies that open nothing meets ERR_TOO_MANY_REQUESTS.
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
  limiter.limit(key, deadCookies);
  try {
    const session = await exchange(services, cookie);
    limiter.returnToken(key, deadCookies);
    return session;
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_NOT_SIGNED_IN") {
      // Over all processes too; a cookie that opens something costs no statement for it.
      await enforceSharedLimit(services, key, deadCookies);
    } else {
      limiter.returnToken(key, deadCookies);
    }
    throw error;
  }
}

async function exchange(services: Services, cookie: string): Promise<OpenedSession> {
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
    const standing = await findStanding(tx, session.user_id);
    const refused = standing && ["rotate", "repeat"].includes(verdict) ? refusedBecause(standing, now) : undefined;
    if (refused) {
      // Nothing is exchanged: once the company has paid the same cookie is good.
      return { refused };
    }
    switch (verdict) {
      case "rotate":
        return rotate(services, tx, session, now);
      case "repeat":
        return opened(session, refreshCookieOf(signer, session));
      case "reused":
        await end(tx, { sessionId: session.id }, "reused", now);
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
    // later than the last time even where the clock stands still: no two cookies of a session are the same
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
  return opened({ ...session, ...next }, cookie);
}

function opened(session: SessionRow, cookie: string): OpenedSession {
  return {
    sessionId: session.id,
    userId: session.user_id,
    companyId: session.company_id,
    cookie,
    expiresAt: session.expires_at,
  };
}

/** Whose browser is this, by its cookie alone? Nothing is rotated. */
export async function claimsOfCookie(
  services: Services,
  cookie: string | undefined,
): Promise<AccessClaims | undefined> {
  const presented = cookie === undefined ? undefined : readRefreshCookie(services.signer, cookie);
  const session = presented && (await findSession(services.db, presented.sessionId));
  const isLive = session && ["rotate", "repeat"].includes(judgeRefresh(session, presented.hash, services.clock.now()));
  return isLive ? { userId: session.user_id, companyId: session.company_id, sessionId: session.id } : undefined;
}

/** Throws where the company does not let this person in: ERR_COMPANY_DISABLED, ERR_SUBSCRIPTION_EXPIRED. */
export async function mustBeLetIn({ db, clock }: Services, { userId }: Pick<AccessClaims, "userId">): Promise<void> {
  const standing = await db.systemTx((tx) => findStanding(tx, userId));
  const refused = standing && refusedBecause(standing, clock.now());
  if (refused) {
    throw refused;
  }
}

/** Signs out: the refresh cookie and the access tokens of this session no longer work. */
export async function signOut({ db, clock, sessions }: Services, sessionId: string): Promise<void> {
  await db.systemTx((tx) => end(tx, { sessionId }, "signed out", clock.now()));
  // Other processes hear of it by the event; here the next request must not find it alive.
  sessions.forgetSession(sessionId);
}

/**
 * After a new password everybody who signed in with the old one is out, in the transaction that saves it, except the
 * browser that changed it.
 */
export async function endSessionsOfUser(ctx: Ctx, userId: number): Promise<void> {
  const { actor } = ctx;
  const except = actor.kind === "user" && actor.userId === userId ? actor.sessionId : null;
  for (const { id } of await endSessions(ctx, { userId, except }, "password", ctx.now())) {
    ctx.emit(sessionEnded({ userId, sessionIds: [id], keptSessionId: null, reason: "password" }));
  }
}

/** The same for the machinery; `except` is a session that stays. */
export async function endEverySessionOf(
  tx: SystemTx,
  userId: number,
  now: Date,
  except: string | null = null,
): Promise<void> {
  await end(tx, { userId, except }, "password", now);
}

/** The company is closed: everybody of it is out, in the transaction that closes it. */
export async function endSessionsOfCompany(tx: SystemTx, companyId: number, now: Date): Promise<void> {
  await end(tx, { companyId }, "company", now);
}

/** Who signed in, as the browser knows it. Throws ERR_NOT_SIGNED_IN where the account is gone. */
export async function sessionUser(db: Db, claims: Pick<AccessClaims, "userId" | "companyId">): Promise<SessionUser> {
  const [row] = await db.readOne(claims.companyId, sessionUserStatement, [claims.userId]);
  if (!row) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return sessionUserView(row);
}

/** Answers the gate: is this session alive, who acts, and what may their company? */
export function sessionLoader(db: Db, clock: Clock): LoadSession {
  return async ({ userId, companyId, sessionId }): Promise<LiveSession | undefined> => {
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
        isActive: row.is_active,
        paid: row.due_date && row.overdue_from ? { lastDay: row.due_date, endsAt: row.overdue_from } : null,
        plan: allFlags(row.flags),
      }
    );
  };
}

/** Forgets sessions that ended more than a month ago. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
  await deleteSessionsBefore(db, new Date(now.getTime() - 30 * 24 * 3_600_000));
}

async function end(tx: SystemTx, which: WhichSessions, reason: EndReason, now: Date): Promise<void> {
  for (const { id, company_id: companyId, user_id: userId } of await endSessions(tx, which, reason, now)) {
    tx.emit(companyId, sessionEnded({ userId, sessionIds: [id], keptSessionId: null, reason }));
  }
}
