import type { Connection, LineReason } from "@prosa/contract/connections";

/** Why no code is coming: the last one expired, or the line has this trouble. Undefined while a code is shown or awaited. */
export function linkTrouble({
  status,
  reason,
}: Pick<Connection, "status" | "reason">): "expired" | `reason_${LineReason}` | undefined {
  // A new line is disconnected too, but without a reason: its first code has not arrived yet.
  if (reason === null || (status !== "DISCONNECTED" && status !== "TIMEOUT")) {
    return undefined;
  }
  return reason === "notScanned" ? "expired" : `reason_${reason}`;
}

/** What is said while no code is shown and none is missing: a line in trouble comes back by itself. */
export function linkingText(
  connection: Pick<Connection, "status" | "reason">,
  isLinking: boolean,
): "linking" | "qrWaiting" | `reason_${LineReason}` {
  const trouble = linkTrouble(connection);
  return trouble === undefined || trouble === "expired" ? (isLinking ? "linking" : "qrWaiting") : trouble;
}
