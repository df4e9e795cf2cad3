import type { LineReason } from "@prosa/contract";
import type { DesiredLine } from "./leases.queries.ts";

/** After these only a person knows what to do: a line that ended so waits for "try again" or "new QR". */
const NEEDS_USER_ACTION: ReadonlySet<LineReason> = new Set([
  "replaced",
  "loggedOut",
  "banned",
  "badSession",
  "notScanned",
  "stopped",
]);

/** May a process take this line and open it? */
export function shouldConnect({ wanted, status, reason, isCompanyActive, isLeased }: DesiredLine): boolean {
  const needsUserAction = status === "DISCONNECTED" && reason !== null && NEEDS_USER_ACTION.has(reason);
  return wanted === "up" && isCompanyActive && !isLeased && !needsUserAction;
}

/** What the wish was when the line was opened. */
export type AppliedState = Pick<DesiredLine, "provider" | "round" | "pairingNumber">;

/** What the row has had from this process, and for how long; undefined while that changes. */
export type WrittenState = { readonly status: DesiredLine["status"]; readonly forMs: number } | undefined;

/** A row that was read before our last word was written says nothing. */
const WRITE_SETTLED_MS = 2_000;

/**
 * What is to be done with a running line: nothing, say its state again, open it anew, let go of it with its device
 * still linked, or unlink it (and open it again where it is wanted). A row that shows another state than ours was changed by a person who said "try again".
 */
export function reconcileAction(
  applied: AppliedState,
  desired: DesiredLine | undefined,
  written: WrittenState,
): "keep" | "repeat" | "reopen" | "release" | "unlink" {
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
    return desired.status !== "CONNECTED" && written.forMs > WRITE_SETTLED_MS ? "repeat" : "keep";
  }
  const isRetryRequested =
    written !== undefined && desired.status !== written.status && written.forMs > WRITE_SETTLED_MS;
  return isRetryRequested || desired.pairingNumber !== applied.pairingNumber ? "reopen" : "keep";
}
