import { randomUUID } from "node:crypto";
import { sessionRules } from "@prosa/contract";
import { hashSecret, verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { forgetLimit, limitEverywhere } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { refreshCookieOf } from "./auth.cookie.ts";
import { sessionEnded } from "./auth.events.ts";
import { endSessions, findAccount, insertSession, lockAccount } from "./auth.queries.ts";
import type { AccountRow } from "./auth.queries.ts";
import { refusedBecause } from "./auth.standing.ts";

export interface Caller {
  readonly address: string;
  readonly userAgent: string;
}

/** A session as it leaves: who, and the cookie that renews it. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly userId: number;
  readonly companyId: number;
  readonly cookie: string;
  readonly expiresAt: Date;
}

/** Failed attempts: an address may be an office, an account is one person. */
const perAddress = { max: 30, perSeconds: 60 };
const perAccount = { max: 10, perSeconds: 300 };

/**
 * Signs in and ends every other session of the account. An unknown account and a wrong password cost the same
 * time and answer the same ERR_INVALID_CREDENTIALS. Throws ERR_TOO_MANY_REQUESTS, ERR_COMPANY_DISABLED and, for
 * everybody but the company's admin, ERR_SUBSCRIPTION_EXPIRED.
 */
export async function signIn(
  services: Services,
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<OpenedSession> {
  const { db, limiter, clock } = services;
  const [address, attempts] = [`sign-in:${caller.address}`, `sign-in:${email}`];
  // Counted before the password is looked at, so that many at once count as many.
  limiter.limit(address, perAddress);
  await limitEverywhere(services, attempts, perAccount);

  const account = await findAccount(db, email);
  const isRight = await verifyPassword(account?.password_hash, password);
  if (!account || !isRight) {
    throw new AppError("ERR_INVALID_CREDENTIALS");
  }
  limiter.giveBack(address, perAddress);
  await forgetLimit(db, attempts);

  const refused = refusedBecause(account, clock.now());
  if (refused) {
    throw refused;
  }
  return openSession(services, account, caller);
}

/**
 * Opens a session for an account that has proved itself, and ends its other ones. Throws ERR_INVALID_CREDENTIALS where
 * the account is gone or got another password since `password_hash` was compared.
 */
export async function openSession(
  { db, clock, signer, sessions }: Services,
  account: Pick<AccountRow, "id" | "company_id"> & Partial<Pick<AccountRow, "password_hash">>,
  caller: Caller,
): Promise<OpenedSession> {
  const now = clock.now();
  const session = { id: randomUUID(), rotated_at: now, expires_at: refreshExpiry(now) };
  const cookie = refreshCookieOf(signer, session);

  await db.systemTx(async (tx) => {
    const hash = await lockAccount(tx, account.id);
    if (hash === undefined || (account.password_hash ?? hash) !== hash) {
      throw new AppError("ERR_INVALID_CREDENTIALS");
    }
    const others = await endSessions(tx, { userId: account.id, except: null }, "elsewhere", now);
    await insertSession(tx, {
      ...session,
      company_id: account.company_id,
      user_id: account.id,
      refresh_hash: hashSecret(cookie),
      created_at: now,
      address: caller.address,
      user_agent: caller.userAgent.slice(0, 300),
    });
    if (others.length > 0) {
      const sessionIds = others.map(({ id }) => id);
      const ended = { userId: account.id, sessionIds, keptSessionId: session.id, reason: "elsewhere" } as const;
      tx.emit(account.company_id, sessionEnded(ended));
    }
  });

  sessions.forgetUser(account.id);
  return {
    sessionId: session.id,
    userId: account.id,
    companyId: account.company_id,
    cookie,
    expiresAt: session.expires_at,
  };
}

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + sessionRules.refreshTokenDays * 24 * 3_600_000);
}
