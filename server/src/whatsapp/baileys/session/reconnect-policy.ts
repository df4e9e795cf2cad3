import type { LineReason } from "@prosa/contract";

/** How a connection ended: the status code that Baileys gives, and its words. */
export interface Ending {
  readonly code: number;
  readonly message: string;
}

export interface Situation {
  /** Failed attempts since the line was last connected for a while. */
  readonly attempts: number;
  /** So many endings just before this one were 500, one after the other. */
  readonly badSessions: number;
  /** Were there credentials of a linked phone? */
  readonly hasMe: boolean;
  /** Client versions that are left to try. */
  readonly versionsLeft: number;
}

export type NextMove =
  | { readonly do: "reconnect"; readonly afterMs: number; readonly reason: LineReason; readonly nextVersion?: true }
  | { readonly do: "stop"; readonly reason: LineReason; readonly forget: boolean };

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;
/** The client version is not let in any more. */
export const REFUSED_VERSION = 405;
/** The code of a session that WhatsApp calls broken. */
export const BAD_SESSION = 500;
/** WhatsApp answers 500 for a passing fault as well as for a broken session: so many in a row mean the latter. */
const BAD_SESSION_AFTER = 3;

/**
 * What to do about each ending (whatsapp.md section 10). Pure; `jitter` is from 0 to 1. The order matters: a phone that
 * nobody held to the QR ends with the same code as a network that is away.
 */
export function nextMove(ending: Ending, situation: Situation, jitter: number): NextMove {
  if (!situation.hasMe && /QR refs/i.test(ending.message)) {
    return stop("notScanned");
  }
  switch (ending.code) {
    case 515: // restart required, normal after pairing
      return { do: "reconnect", afterMs: 0, reason: "network" };
    case 401: // logged out by the phone
    case 411: // the phone left multi-device
      return { do: "stop", reason: "loggedOut", forget: true };
    case 440: // another process holds the line: never fight
      return stop("replaced");
    case 403:
      return stop("banned");
    case REFUSED_VERSION:
      return situation.versionsLeft > 0
        ? { do: "reconnect", afterMs: 0, reason: "versionRefused", nextVersion: true }
        : stop("versionRefused");
    case BAD_SESSION: // keys are kept until a new pairing is asked for
      return situation.badSessions + 1 >= BAD_SESSION_AFTER ? stop("badSession") : later(situation.attempts, jitter);
    default:
      return later(situation.attempts, jitter);
  }
}

function stop(reason: LineReason): NextMove {
  return { do: "stop", reason, forget: false };
}

/** 1 s, 2 s, 4 s … 5 min, each shortened by up to half, so that the lines of a process do not come back together. */
function later(attempts: number, jitter: number): NextMove {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts, 20));
  return { do: "reconnect", afterMs: Math.round(full * (1 - jitter / 2)), reason: "network" };
}

export interface Traffic {
  readonly now: number;
  /** When this line last received a message, receipt or notice, and how often in this session. */
  readonly lastHeard: number;
  readonly heard: number;
  /** How many other lines of the process received something in the last five minutes. */
  readonly othersHeard: number;
}

const SILENT_MS = 30 * 60_000;

/**
 * Connected, pings answered, but nothing comes while others receive: the session is dead on the server's side. Only a
 * line that used to receive can be told from one that nobody writes to.
 */
export function isDeadSession({ now, lastHeard, heard, othersHeard }: Traffic): boolean {
  return heard >= 20 && othersHeard >= 2 && now - lastHeard > SILENT_MS;
}

/** Why a socket ended, as the library says it. */
export function endingOf(error: Error | undefined): Ending {
  return { code: codeOf(error), message: error?.message ?? "" };
}

/** Baileys' errors carry a status code in `output`. */
export function codeOf(error: unknown): number {
  const { output } = (error ?? {}) as { readonly output?: { readonly statusCode?: number } };
  return output?.statusCode ?? 0;
}
