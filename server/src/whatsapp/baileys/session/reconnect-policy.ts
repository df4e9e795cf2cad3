import type { LineReason } from "@prosa/contract";

/** Why a socket closed: the status code of Baileys' DisconnectReason, and its message. */
export interface Disconnect {
  readonly code: number;
  readonly message: string;
}

export interface ReconnectContext {
  /** Failed attempts since the line was last connected for `stableMs`. */
  readonly attempts: number;
  /** Disconnects with 500 in a row before this one. */
  readonly badSessions: number;
  /** There are credentials of a linked phone. */
  readonly isLinked: boolean;
  /** Older client versions that were not tried yet. */
  readonly versionsLeft: number;
}

export type ReconnectDecision =
  | { readonly do: "reconnect"; readonly afterMs: number; readonly reason: LineReason; readonly nextVersion?: true }
  | { readonly do: "stop"; readonly reason: LineReason; readonly forget: boolean };

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;
/** WhatsApp does not accept the client version any more. */
export const REFUSED_VERSION = 405;
/** WhatsApp calls the session broken. */
export const BAD_SESSION = 500;
/** WhatsApp closes with 500 for a transient fault as well as for a broken session: this many in a row mean the latter. */
const BAD_SESSION_AFTER = 3;

/**
 * Decides what follows a disconnect (whatsapp.md section 10). Pure; `jitter` is from 0 to 1. The order matters: a QR that
 * nobody scanned ends with the same code as an unreachable network.
 */
export function decideReconnect(disconnect: Disconnect, context: ReconnectContext, jitter: number): ReconnectDecision {
  if (!context.isLinked && /QR refs/i.test(disconnect.message)) {
    return stop("notScanned");
  }
  switch (disconnect.code) {
    case 515: // restart required, normal after pairing
      return { do: "reconnect", afterMs: 0, reason: "network" };
    case 401: // logged out by the phone
    case 406: // logged out, the phone does not say why
    case 411: // the phone left multi-device
      return { do: "stop", reason: "loggedOut", forget: true };
    case 440: // another process holds the line: do not reconnect
      return stop("replaced");
    case 402: // for a time
    case 403:
      return stop("banned");
    case REFUSED_VERSION:
      return context.versionsLeft > 0
        ? { do: "reconnect", afterMs: 0, reason: "versionRefused", nextVersion: true }
        : stop("versionRefused");
    case BAD_SESSION: // keys are kept until a new pairing is asked for
      return context.badSessions + 1 >= BAD_SESSION_AFTER
        ? stop("badSession")
        : reconnectLater(context.attempts, jitter);
    default:
      return reconnectLater(context.attempts, jitter);
  }
}

function stop(reason: LineReason): ReconnectDecision {
  return { do: "stop", reason, forget: false };
}

/** Exponential back-off, 1 s, 2 s, 4 s … 5 min, each shortened by up to half, so that lines do not reconnect together. */
function reconnectLater(attempts: number, jitter: number): ReconnectDecision {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts, 20));
  return { do: "reconnect", afterMs: Math.round(full * (1 - jitter / 2)), reason: "network" };
}

export interface ReceiveActivity {
  readonly now: number;
  /** When this line last received a message, receipt or notification, and how many in this session. */
  readonly lastReceivedAt: number;
  readonly receivedCount: number;
  /** How many other lines of the process received something in the last five minutes. */
  readonly activeOthers: number;
}

const DEAD_AFTER_MS = 30 * 60_000;

/**
 * A dead session: connected, with answered pings, but WhatsApp's server delivers nothing while other lines receive. Only
 * a line that has received before can be told from one that nobody writes to.
 */
export function isDeadSession({ now, lastReceivedAt, receivedCount, activeOthers }: ReceiveActivity): boolean {
  return receivedCount >= 20 && activeOthers >= 2 && now - lastReceivedAt > DEAD_AFTER_MS;
}

/** Why a socket closed, from the error that Baileys raises. */
export function disconnectOf(error: Error | undefined): Disconnect {
  return { code: codeOf(error), message: error?.message ?? "" };
}

/** Baileys' errors carry a status code in `output`. */
export function codeOf(error: unknown): number {
  const { output } = (error ?? {}) as { readonly output?: { readonly statusCode?: number } };
  return output?.statusCode ?? 0;
}
