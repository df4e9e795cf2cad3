import {
  healthAt,
  limitCauses,
  lineReasons,
  type ConnectionHealth,
  type LimitCause,
  type LineReason,
  type LineSignal,
  type LineSignalKind,
} from "@prosa/contract/connections";
import type { HistoryEntry } from "#web/ui/dialogs/HistoryDialog.tsx";

/** Which sentence says the health of a line, with what stands in it. `share`: how much of the allowance is used. */
export interface HealthSentence {
  readonly key: "good" | "limited" | "capped" | "cappedBare" | "warned" | "warnedBare" | "blocked";
  readonly until: string | null;
  readonly share: { readonly used: number; readonly total: number } | null;
}

/** The sentence at this time: a limit whose end has passed is over, also where no event has said so. */
export function healthSentence(health: ConnectionHealth, now: Date): HealthSentence {
  const { state, cause, until, quota } = healthAt(health, now);
  const { used, total } = quota ?? { used: null, total: null };
  const share = used === null || total === null ? null : { used, total };
  switch (state) {
    case "limited":
      return { key: cause === "capped" ? (share ? "capped" : "cappedBare") : "limited", until, share };
    case "warned":
      return { key: share ? "warned" : "warnedBare", until, share };
    default:
      return { key: state, until: null, share };
  }
}

/** What the chart shows of a day. */
export const healthCounts = ["started", "refused", "failed", "disconnected"] as const;

/** Message key of the cause of a limit, where WhatsApp says one. */
export function causeKey(cause: ConnectionHealth["cause"]): `cause_${LimitCause}` | undefined {
  const known = limitCauses.find((each) => each === cause);
  return known && `cause_${known}`;
}

const failures = [
  "limited",
  "refused",
  "tooMany",
  "notAllowed",
  "timeout",
  "devices",
  "serverFault",
  "invalidContact",
] as const;

/** The words of a signal: message keys of this feature, or the reason of a disconnection. */
export interface SignalText {
  readonly title: `signal_${LineSignalKind}`;
  readonly text?: `cause_${LimitCause}` | `fail_${(typeof failures)[number] | "other"}`;
  readonly reason?: `reason_${LineReason}`;
  readonly share?: { readonly used: string; readonly total: string };
  readonly tone: NonNullable<HistoryEntry["tone"]>;
}

const tones: Readonly<Record<LineSignalKind, SignalText["tone"]>> = {
  timeLock: "bad",
  timeLockEnded: "good",
  quotaWarning: "warn",
  capped: "bad",
  capEnded: "good",
  refused: "bad",
  failedSend: "warn",
  disconnected: "warn",
  banned: "bad",
};

export function signalText({ kind, detail }: Pick<LineSignal, "kind" | "detail">): SignalText {
  const base = { title: `signal_${kind}`, tone: tones[kind] } as const;
  switch (kind) {
    case "timeLock": {
      const text = causeKey(limitCauses.find((cause) => cause === detail) ?? null);
      return { ...base, ...(text && { text }) };
    }
    case "quotaWarning":
    case "capped": {
      const [used, total] = detail?.split("/") ?? [];
      return { ...base, ...(used && total && { share: { used, total } }) };
    }
    case "refused":
    case "failedSend":
      return { ...base, text: `fail_${failures.find((known) => known === detail) ?? "other"}` };
    case "disconnected":
    case "banned": {
      const reason = lineReasons.find((known) => known === detail);
      return { ...base, ...(reason && { reason: `reason_${reason}` as const }) };
    }
    default:
      return base;
  }
}
