import type { LimitCause, QuotaLevel } from "@prosa/contract";
import type { LineLimit } from "../../port.ts";
import type { ConnectionState } from "../library.ts";

/** WhatsApp Web takes a lock without an end for one of a minute. */
const LOCK_MS = 60_000;
/** Times above are milliseconds: as seconds they are in the year 5138. */
const MAX_SECONDS = 100_000_000_000;
/** An earlier end is garbage: the limits are younger. */
const FIRST_MS = Date.UTC(2020);
/** A later end is garbage: WhatsApp limits for hours or weeks. */
const MAX_AHEAD_MS = 10 * 366 * 86_400_000;
const MAX_COUNT = 2_147_483_647;

const levels: Readonly<Record<string, QuotaLevel>> = {
  FIRST_WARNING: "warning1",
  SECOND_WARNING: "warning2",
  CAPPED: "capped",
};

/** The reach-out time lock (whatsapp.md section 11). The library passes on what the notification has: each field may be garbage. */
export function timeLockOf(lock: NonNullable<ConnectionState["reachoutTimeLock"]>, now: Date): LineLimit {
  const isActive = lock.isActive === true;
  const until = boundedTime(lock.timeEnforcementEnds?.getTime(), now);
  return {
    kind: "newChats",
    isActive,
    until: isActive ? (until ?? new Date(now.getTime() + LOCK_MS)) : null,
    cause: isActive ? causeOf(lock.enforcementType) : null,
  };
}

function causeOf(type: unknown): LimitCause | null {
  if (type === "BIZ_QUALITY") {
    return "quality";
  }
  if (type === "WEB_COMPANION_ONLY") {
    return "linkedDevices";
  }
  return typeof type === "string" && type.startsWith("BIZ_COMMERCE_VIOLATION") ? "policy" : null;
}

/** The allowance of new conversations, from a notification or an answer; null for garbage. */
export function quotaOf(info: unknown, now: Date): LineLimit | null {
  if (typeof info !== "object" || info === null || Array.isArray(info)) {
    return null;
  }
  const { capping_status: status, total_quota: total, used_quota: used, cycle_end_timestamp: end } = info as NewChatCap;
  const [usedCount, totalCount] = [boundedCount(used), boundedCount(total)];
  if (typeof status !== "string" && totalCount === null) {
    return null;
  }
  return {
    kind: "quota",
    level: (typeof status === "string" && Object.hasOwn(levels, status) && levels[status]) || "none",
    used: usedCount,
    total: totalCount,
    until: boundedTime(msOf(end), now),
  };
}

type NewChatCap = Partial<Record<"capping_status" | "total_quota" | "used_quota" | "cycle_end_timestamp", unknown>>;

function boundedCount(value: unknown): number | null {
  const count = numberOf(value);
  return Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : null;
}

function msOf(value: unknown): number {
  const time = numberOf(value);
  return time > MAX_SECONDS ? time : time * 1_000;
}

function numberOf(value: unknown): number {
  return typeof value === "number" || (typeof value === "string" && /^\d+$/u.test(value)) ? Number(value) : Number.NaN;
}

function boundedTime(ms: number | undefined, now: Date): Date | null {
  return ms !== undefined && ms > FIRST_MS && ms < now.getTime() + MAX_AHEAD_MS ? new Date(ms) : null;
}
