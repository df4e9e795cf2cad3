import type { ConnectionHealth, LimitCause, LineReason, LineSignalKind, QuotaLevel } from "@prosa/contract";
import { quotaLevels } from "@prosa/contract";
import type { LineLimit, LineState } from "#server/whatsapp/port.ts";

/** What the provider limits a line to, as it was announced last. What has ended is still in it: ask `lockEnd`. */
export interface LineLimitState {
  /** No new conversations until then. */
  readonly lockedUntil: Date | null;
  readonly lockCause: LimitCause | null;
  readonly quotaLevel: QuotaLevel;
  readonly quotaUsed: number | null;
  readonly quotaTotal: number | null;
  /** The end of the cycle. */
  readonly quotaUntil: Date | null;
}

export const unlimited: LineLimitState = {
  lockedUntil: null,
  lockCause: null,
  quotaLevel: "none",
  quotaUsed: null,
  quotaTotal: null,
  quotaUntil: null,
};

/** WhatsApp Web takes a lock without an end for one of this length. */
const LOCK_MS = 60_000;
/** A reached quota without an end: another refusal renews it. */
const CAPPED_MS = 3_600_000;

/**
 * When the line may start conversations again; null where it may now. Always known: nothing stays paused. Answers to people who
 * wrote are never held.
 */
export function lockEnd({ lockedUntil, quotaLevel, quotaUntil }: LineLimitState, now: Date): Date | null {
  return limitAt({ lockedUntil, cappedUntil: quotaLevel === "capped" ? quotaUntil : null }, now)?.until ?? null;
}

/** Until when the provider keeps a line from starting conversations; null: it does not. */
export interface LimitTimes {
  /** It has locked the account. */
  readonly lockedUntil: Date | null;
  /** The allowance of new conversations is used up. */
  readonly cappedUntil: Date | null;
}

/** SQL: the columns of `LimitTimes` of a row `l` of line_limits. */
export const limitTimesSql = (l: string) => `
      case when ${l}.new_chats_locked then ${l}.new_chats_locked_until end as "lockedUntil",
      case when ${l}.quota_level = 'capped' then ${l}.quota_until end as "cappedUntil"`;

/** What holds the line now: of the two what ends later; null: nothing. */
export function limitAt(
  { lockedUntil, cappedUntil }: LimitTimes,
  now: Date,
): { readonly reason: "limited" | "capped"; readonly until: Date } | null {
  const limits = [
    ...(isAfter(lockedUntil, now) ? [{ reason: "limited", until: lockedUntil } as const] : []),
    ...(isAfter(cappedUntil, now) ? [{ reason: "capped", until: cappedUntil } as const] : []),
  ];
  return limits.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null;
}

/** The state after an announcement. An end that was not announced is assumed, counted from `now`. */
export function limitAfter(before: LineLimitState, limit: LineLimit, now: Date): LineLimitState {
  if (limit.kind === "newChats") {
    return limit.isActive
      ? { ...before, lockedUntil: limit.until ?? later(now, LOCK_MS), lockCause: limit.cause }
      : { ...before, lockedUntil: null, lockCause: null };
  }
  const until = limit.until ?? (limit.level === "capped" ? later(now, CAPPED_MS) : null);
  return {
    ...before,
    quotaLevel: limit.level,
    quotaUsed: limit.used,
    quotaTotal: limit.total,
    quotaUntil: until,
  };
}

/** The state without what has ended. */
export function withoutEnded(limit: LineLimitState, now: Date): LineLimitState {
  const isQuotaOver = limit.quotaUntil !== null && !isAfter(limit.quotaUntil, now);
  return {
    ...limit,
    ...(!isAfter(limit.lockedUntil, now) && { lockedUntil: null, lockCause: null }),
    ...(isQuotaOver && { quotaLevel: "none", quotaUsed: null, quotaTotal: null, quotaUntil: null }),
  };
}

/** The next time at which something of the limit ends. */
export function nextEnd({ lockedUntil, quotaLevel, quotaUntil }: LineLimitState): Date | null {
  const ends = [lockedUntil, quotaLevel === "none" ? null : quotaUntil].filter((end) => end !== null);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

export interface LineSignal {
  readonly kind: LineSignalKind;
  readonly detail: string | null;
  readonly at: Date;
}

/**
 * What people are told of a change. An end that had passed before a word came is written down at its own time. A quota that
 * was announced again at the same level is no news.
 */
export function signalsOf(before: LineLimitState, after: LineLimitState, now: Date): LineSignal[] {
  const signals: LineSignal[] = [];
  const wasLocked = before.lockedUntil !== null;
  const isNowLocked = isAfter(after.lockedUntil, now);
  if (wasLocked && !isNowLocked) {
    signals.push({ kind: "timeLockEnded", detail: null, at: earlier(before.lockedUntil, now) });
  }
  if (isNowLocked && !isAfter(before.lockedUntil, now)) {
    signals.push({ kind: "timeLock", detail: after.lockCause, at: now });
  }
  const [rankBefore, rank] = [before, after].map(({ quotaLevel }) => quotaLevels.indexOf(quotaLevel));
  if (before.quotaLevel === "capped" && after.quotaLevel !== "capped") {
    signals.push({ kind: "capEnded", detail: null, at: earlier(before.quotaUntil, now) });
  }
  if ((rank ?? 0) > (rankBefore ?? 0)) {
    const share =
      after.quotaUsed !== null && after.quotaTotal !== null ? `${after.quotaUsed}/${after.quotaTotal}` : null;
    signals.push({ kind: after.quotaLevel === "capped" ? "capped" : "quotaWarning", detail: share, at: now });
  }
  return signals;
}

/**
 * Whether a state is a disconnection that nobody asked for. `isCut`: the socket of the connected line was closed just
 * before. A lost line that cannot log in again counts a second time: that is another piece of news.
 */
export function disconnectionOf(
  state: LineState,
  { isCut }: { readonly isCut: boolean },
): Omit<LineSignal, "at"> | null {
  if (state.status !== "DISCONNECTED") {
    return isCut ? { kind: "disconnected", detail: "network" } : null;
  }
  // Said of another line of the process, or asked for.
  if (state.isHearsay || !unwanted.has(state.reason)) {
    return null;
  }
  return { kind: state.reason === "banned" ? "banned" : "disconnected", detail: state.reason };
}

const unwanted: ReadonlySet<LineReason> = new Set(["banned", "loggedOut", "replaced", "badSession", "limited"]);

/** What the Connections screen says of a line. */
export function healthOf(limit: LineLimitState, isBanned: boolean, now: Date): ConnectionHealth {
  const { quotaLevel, quotaUsed, quotaTotal, quotaUntil, lockCause, lockedUntil } = withoutEnded(limit, now);
  const quota =
    quotaLevel === "none" && quotaTotal === null
      ? null
      : { level: quotaLevel, used: quotaUsed, total: quotaTotal, until: quotaUntil?.toISOString() ?? null };
  if (isBanned) {
    return { state: "blocked", cause: "banned", until: null, quota };
  }
  const end = lockEnd(limit, now);
  if (end) {
    const isCap = end.getTime() !== lockedUntil?.getTime();
    return { state: "limited", cause: isCap ? "capped" : lockCause, until: end.toISOString(), quota };
  }
  return quotaLevel === "none"
    ? { state: "good", cause: null, until: null, quota }
    : { state: "warned", cause: null, until: quota?.until ?? null, quota };
}

function isAfter(end: Date | null, now: Date): end is Date {
  return end !== null && end > now;
}

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);
const earlier = (end: Date | null, now: Date) => (end !== null && end < now ? end : now);
