import { randomUUID } from "node:crypto";
import { sessionRules } from "@prosa/contract";
import type { SessionUser } from "@prosa/contract";
import { auditRowOf } from "#server/platform/audit/index.ts";
import { hashPassword, hashSecret, isLegacyHash, verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { returnSharedTokens, takeSharedTokens } from "#server/platform/http/index.ts";
import type { GivenBack } from "#server/platform/http/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Mail } from "#server/platform/mail/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { countAttempt, throttleFlood, originOf } from "./auth.attempts.ts";
import type { Origin } from "./auth.attempts.ts";
import { refreshCookieOf } from "./auth.cookie.ts";
import { sessionEnded } from "./auth.events.ts";
import { newAddressMail } from "./auth.mails.ts";
import type { SignInFacts } from "./auth.mails.ts";
import { openSessionOf, replacePasswordHash } from "./auth.queries.ts";
import type { AccountRow } from "./auth.queries.ts";
import { companyAccessError } from "./auth.company-access.ts";
import { refusedSignInJob } from "./auth.refused-sign-in.ts";
import { remindToConfirm } from "./email-confirmation/index.ts";
import { secondStepError } from "./auth.second-step.ts";
import { sessionUserView } from "./auth.view.ts";
import { failedSignInsJob } from "./auth.failed-sign-ins.ts";

export interface Caller {
  readonly address: string;
  readonly userAgent: string;
}

/** A session for the answer to the browser: whose it is, and the cookie that renews it. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly userId: number;
  readonly companyId: number;
  readonly cookie: string;
  readonly expiresAt: Date;
  /** As the browser gets it, where it was read with the session. */
  readonly user?: SessionUser;
}

/** Rate limits of mails to one person, so that an attack does not flood their mailbox. */
const failedSignInsMailRate = { max: 1, perSeconds: 86_400 };
const newAddressMailRate = { max: 1, perSeconds: 3_600 };

/**
 * Signs in and ends every other session of the account. An unknown account and a wrong password cost the same
 * time and answer the same ERR_INVALID_CREDENTIALS. Throws ERR_TOO_MANY_REQUESTS, but never for a right password from
 * an address that signed in before; ERR_COMPANY_DISABLED and, for everybody but the company's admin,
 * ERR_SUBSCRIPTION_EXPIRED; ERR_EMAIL_NOT_CONFIRMED after a sign-up; ERR_SECOND_FACTOR
 * and ERR_SECOND_FACTOR_SETUP with the ticket of the second step.
 */
export async function signIn(services: Services, credentials: Credentials, caller: Caller): Promise<OpenedSession> {
  const origin = originOf(caller.address);
  return throttleFlood(services, origin, () => attemptSignIn(services, credentials, caller, origin));
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function attemptSignIn(
  services: Services,
  { email, password }: Credentials,
  caller: Caller,
  origin: Origin,
): Promise<OpenedSession> {
  const { clock } = services;
  const { block } = origin;
  const attempt = await countAttempt(services, email, origin);
  try {
    const { account, refusal } = attempt;
    const isKnown = account?.addresses.some((address) => addressBlock(address) === block) ?? false;
    const prove = () => verifyPassword(account?.password_hash, password);

    const isRight = refusal === undefined ? await prove() : isKnown && (await attempt.runThrottled(prove));
    if (!account || !isRight) {
      if (refusal === undefined) {
        await enqueueRefusedSignIn(services, { email, reason: "password" }, caller);
      }
      if (await attempt.recordFailure()) {
        await enqueueFailedSignInsMail(services, email, block);
      }
      throw refusal ?? new AppError("ERR_INVALID_CREDENTIALS");
    }

    const refused = companyAccessError(account, clock.now());
    if (refused) {
      await returnSharedTokens(services, attempt.giveBack());
      await enqueueRefusedSignIn(services, { email, reason: refused.code }, caller);
      throw refused;
    }
    if (account.is_unconfirmed) {
      await returnSharedTokens(services, attempt.giveBack());
      await remindToConfirm(services, account);
    }
    const proved = isLegacyHash(account.password_hash) ? await renewHash(services, account, password) : account;
    const nextStep = secondStepError(services, proved);
    if (nextStep) {
      await returnSharedTokens(services, attempt.giveBack());
      throw nextStep;
    }
    return await openAccountSession(services, proved, caller, attempt.giveBack());
  } finally {
    attempt.release();
  }
}

/** The proved password under our own scheme: who has moved in brought the hash of another (decision 0233). */
async function renewHash({ db }: Services, account: AccountRow, password: string): Promise<AccountRow> {
  const renewed = await hashPassword(password);
  // Not where it was changed meanwhile: then opening the session refuses the hash that was proved.
  const isReplaced = await replacePasswordHash(db.system, account.id, account.password_hash, renewed);
  return isReplaced ? { ...account, password_hash: renewed } : account;
}

/** A job finds the account, if there is one: the response time must not tell. */
async function enqueueRefusedSignIn(
  { db, clock }: Services,
  refused: { readonly email: string; readonly reason: string },
  { address, userAgent }: Caller,
): Promise<void> {
  const at = clock.now().toISOString();
  await db.systemTx(async (tx) => tx.enqueue(null, refusedSignInJob({ ...refused, address, userAgent, at })));
}

/**
 * Opens the session of an account that has proved who it is, and mails its owner where it was not used from that address
 * before. Throws as `openSession` does.
 */
export async function openAccountSession(
  services: Services,
  account: AccountRow,
  caller: Caller,
  givenBack: GivenBack = nothing,
): Promise<OpenedSession> {
  const block = addressBlock(caller.address);
  const isKnown = account.addresses.some((address) => addressBlock(address) === block);
  const isElsewhere = account.addresses.length > 0 && !isKnown;
  const isMailed =
    isElsewhere && (await takeSharedTokens(services, `mail:new-address:${account.id}`, newAddressMailRate));
  const mail = isMailed ? newAddressMail(signInFacts(services, account, block)) : undefined;
  return openSession(services, account, caller, { mail, givenBack });
}

/** Runs the same statements whether the account exists or not, so that the response time does not tell. */
async function enqueueFailedSignInsMail({ db, clock }: Services, email: string, address: string): Promise<void> {
  if (await takeSharedTokens({ db, clock }, `mail:sign-in-tries:${email}`, failedSignInsMailRate)) {
    await db.systemTx(async (tx) =>
      tx.enqueue(null, failedSignInsJob({ email, address, at: clock.now().toISOString() })),
    );
  }
}

function signInFacts({ clock, publicUrl }: Services, account: AccountRow, address: string): SignInFacts {
  return { account, address, at: clock.now(), url: publicUrl() };
}

/**
 * Opens a session for an authenticated account, and ends its other ones. Throws ERR_INVALID_CREDENTIALS where the account
 * is gone, or its password was changed after `password_hash` was verified.
 */
export async function openSession(
  { db, clock, signer, sessions, config }: Services,
  account: Pick<AccountRow, "id" | "company_id"> & Partial<Pick<AccountRow, "name" | "password_hash">>,
  caller: Caller,
  { mail, givenBack = nothing }: OpeningExtras = {},
): Promise<OpenedSession> {
  const now = clock.now();
  const session = { id: randomUUID(), rotated_at: now, expires_at: refreshExpiry(now) };
  const cookie = refreshCookieOf(signer, session);
  const open = async (on: Parameters<typeof openSessionOf>[0]) => {
    const opened = await openSessionOf(
      on,
      {
        ...session,
        company_id: account.company_id,
        user_id: account.id,
        refresh_hash: hashSecret(cookie),
        created_at: now,
        address: caller.address,
        user_agent: caller.userAgent.slice(0, 300),
      },
      {
        passwordHash: account.password_hash ?? null,
        event: sessionEnded({ userId: account.id, sessionIds: [], keptSessionId: session.id, reason: "elsewhere" }),
        givenBack,
        auditRow: auditRowOf(
          {
            companyId: account.company_id,
            now,
            actor: { kind: "user", userId: account.id, name: account.name ?? null },
            origin: caller,
          },
          { action: "session.signed-in", target: { type: "user", id: account.id, name: account.name ?? null } },
        ),
      },
    );
    if (!opened) {
      throw new AppError("ERR_INVALID_CREDENTIALS");
    }
    return opened;
  };

  // With a mail, which is sent if the session is opened, in a transaction; otherwise its one statement is all.
  const { ended, user } = mail
    ? await db.systemTx(async (tx) => {
        sendMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, mail);
        return open({ system: tx.db, systemRaw: tx.raw });
      })
    : await open(db);
  db.listenNotify.notify({ events: ended.length > 0 });

  sessions.forgetUser(account.id);
  return {
    sessionId: session.id,
    userId: account.id,
    companyId: account.company_id,
    cookie,
    expiresAt: session.expires_at,
    user: sessionUserView(user, now, config),
  };
}

interface OpeningExtras {
  /** A mail to the owner, sent if the session is opened. */
  readonly mail?: Mail | undefined;
  /** Tokens of the attempt. */
  readonly givenBack?: GivenBack;
}

const nothing: GivenBack = { returned: [], reset: [] };

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + sessionRules.refreshTokenDays * 24 * 3_600_000);
}
