import type { Connection, LineReason } from "@prosa/contract/connections";

type Line = Pick<Connection, "status" | "reason" | "number"> & Partial<Pick<Connection, "numberHolder">>;
type ReasonKey = `reason_${LineReason}` | "sameNumberIn" | "networkUnlinked";

/** The text of a line's reason; `sameNumberIn` names the other line, as `{line}`. */
export function reasonKey(reason: LineReason, { number, numberHolder }: Omit<Line, "status" | "reason">): ReasonKey {
  // Without a number nothing comes back by itself: somebody has to use the code.
  if (reason === "network" && number === null) {
    return "networkUnlinked";
  }
  return reason === "sameNumber" && numberHolder ? "sameNumberIn" : `reason_${reason}`;
}

/** Why no code is coming: the last one expired, or the line has this trouble. Undefined while a code is shown or awaited. */
export function linkTrouble({ status, reason, ...line }: Line): "expired" | ReasonKey | undefined {
  // A new line is disconnected too, but without a reason: its first code has not arrived yet.
  if (reason === null || (status !== "DISCONNECTED" && status !== "TIMEOUT")) {
    return undefined;
  }
  return reason === "notScanned" ? "expired" : reasonKey(reason, line);
}

/** What is said while no code is shown and none is missing: a line in trouble comes back by itself. */
export function linkingText(connection: Line, isLinking: boolean): "linking" | "qrWaiting" | ReasonKey {
  const trouble = linkTrouble(connection);
  return trouble === undefined || trouble === "expired" ? (isLinking ? "linking" : "qrWaiting") : trouble;
}
