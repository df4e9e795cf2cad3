import type { LineReason } from "@prosa/contract";
import type { DesiredLine } from "./leases.queries.ts";

/** A line that ended for one of these reasons waits for "try again" or "new QR": reconnecting by itself cannot help. */
const NEEDS_USER_ACTION: ReadonlySet<LineReason> = new Set([
  "replaced",
  "loggedOut",
  "banned",
  "badSession",
  "notScanned",
  "stopped",
  "sameNumber",
  "codeRefused",
]);

/** May a process acquire the lease of this line and open it? */
export function shouldConnect({ wanted, status, reason, isCompanyActive, isLeased }: DesiredLine): boolean {
  const needsUserAction = status === "DISCONNECTED" && reason !== null && NEEDS_USER_ACTION.has(reason);
  return wanted === "up" && isCompanyActive && !isLeased && !needsUserAction;
}

/** The desired state that the line was opened with. */
export type AppliedState = Pick<DesiredLine, "provider" | "round" | "pairingNumber">;

/** The status that this process wrote last, and how long ago; undefined while another is being written. */
export type WrittenState = { readonly status: DesiredLine["status"]; readonly forMs: number } | undefined;

/** A row that was read before our last write still has an older status: younger writes are not compared. */
const WRITE_SETTLED_MS = 2_000;

/**
 * What to do with a running line: keep it, write its state again, open it anew, release it with its device still linked,
 * or unlink the device (and open the line again where it is wanted up). A row with another status than we wrote was
 * changed by a person's "try again".
 */
export function reconcileAction(
  applied: AppliedState,
  desired: DesiredLine | undefined,
  written: WrittenState,
): "keep" | "rewrite" | "reopen" | "release" | "unlink" {
  if (
    !desired ||
    desired.wanted === "down" ||
    desired.round !== applied.round ||
    desired.provider !== applied.provider
  ) {
    return "unlink";
  }
  if (!desired.isCompanyActive) {
    return "release";
  }
  if (written?.status === "CONNECTED") {
    return desired.status !== "CONNECTED" && written.forMs > WRITE_SETTLED_MS ? "rewrite" : "keep";
  }
  const isRetryRequested =
    written !== undefined && desired.status !== written.status && written.forMs > WRITE_SETTLED_MS;
  return isRetryRequested || desired.pairingNumber !== applied.pairingNumber ? "reopen" : "keep";
}
