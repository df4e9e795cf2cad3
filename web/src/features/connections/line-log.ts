import { lineReasons, type LineLogEntry, type LineReason } from "@prosa/contract/connections";
import type { HistoryEntry } from "#web/ui/dialogs/HistoryDialog.tsx";

type Title =
  | "log_connected"
  | "log_restarted"
  | "log_closed"
  | "log_stopped"
  | "log_recycled"
  | "log_notUnlinked"
  | "log_alarm"
  | "log_other";
type Cause =
  | `reason_${LineReason}`
  | "log_cut"
  | "log_silent"
  | "log_restart"
  | "log_unreachable"
  | "log_deaf"
  | "log_unlinkByHand"
  | "log_report";

/** Message keys of a log entry. `code` is WhatsApp's own number, which support will ask for. */
export interface LineLogText {
  readonly title: Title;
  readonly reason?: Cause;
  readonly code?: string;
  readonly tone?: HistoryEntry["tone"];
}

/** Translates an entry of the line log, whose names are technical, to message keys. */
export function lineLogText({ event, detail }: Pick<LineLogEntry, "event" | "detail">): LineLogText {
  const [first = ""] = (detail ?? "").split(" ");
  switch (event) {
    case "connected":
      return { title: "log_connected", tone: "good" };
    case "closed":
      if (first === RESTART) {
        return { title: "log_restarted", reason: "log_restart" };
      }
      return { title: "log_closed", tone: "warn", ...causeOf(first) };
    case "stopped":
      return { title: "log_stopped", tone: "bad", ...(isReason(first) && { reason: `reason_${first}` }) };
    case "recycled":
      return { title: "log_recycled", tone: "warn", reason: "log_deaf" };
    case "notUnlinked":
      return { title: "log_notUnlinked", tone: "bad", reason: "log_unlinkByHand" };
    case "alarm":
      return { title: "log_alarm", tone: "bad", reason: "log_report" };
    default:
      return { title: "log_other" };
  }
}

/** The reason of a disconnect, by the code that WhatsApp or the network gave. */
function causeOf(code: string): Pick<LineLogText, "reason" | "code"> {
  const reason = causes.get(code);
  return { ...(reason && { reason }), ...(/^[1-9]\d*$/.test(code) && { code }) };
}

/** WhatsApp requires a restart after a phone was linked: not a failure. */
const RESTART = "515";

const causes: ReadonlyMap<string, Cause> = new Map([
  ["0", "log_unreachable"],
  ["401", "reason_loggedOut"],
  ["402", "reason_banned"],
  ["403", "reason_banned"],
  ["405", "reason_versionRefused"],
  ["406", "reason_loggedOut"],
  ["408", "log_silent"],
  ["411", "reason_loggedOut"],
  ["428", "log_cut"],
  ["440", "reason_replaced"],
  ["500", "log_cut"],
  ["503", "log_unreachable"],
]);

function isReason(word: string): word is LineReason {
  return (lineReasons as readonly string[]).includes(word);
}
