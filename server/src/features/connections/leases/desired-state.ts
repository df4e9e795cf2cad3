import type { LineReason } from "@prosa/contract";
import type { LineWish } from "./leases.queries.ts";

/** After these only a person knows what to do: a line that ended so waits for "try again" or "new QR". */
const WAITS_FOR_A_PERSON: ReadonlySet<LineReason> = new Set([
  "replaced",
  "loggedOut",
  "banned",
  "badSession",
  "notScanned",
  "stopped",
]);

/** May a process take this line and open it? */
export function isToBeOpened({ wanted, status, reason, isCompanyActive, isLeased }: LineWish): boolean {
  const isHeld = status === "DISCONNECTED" && reason !== null && WAITS_FOR_A_PERSON.has(reason);
  return wanted === "up" && isCompanyActive && !isLeased && !isHeld;
}

/** What the wish was when the line was opened. */
export type Opened = Pick<LineWish, "provider" | "round" | "pairingNumber">;

/** What the row has had from this process, and for how long; undefined while that changes. */
export type Shown = { readonly status: LineWish["status"]; readonly forMs: number } | undefined;

/** A row that was read before our last word was written says nothing. */
const SETTLED_MS = 2_000;

/**
 * What is to be done with a running line: nothing, say its state again, open it anew, let go of it with its device
 * still linked, or unlink it (and open it again where it is wanted). A row that shows another state than ours was changed by a person who said "try again".
 */
export function changeOf(
  opened: Opened,
  wish: LineWish | undefined,
  shown: Shown,
): "keep" | "repeat" | "reopen" | "release" | "unlink" {
  if (!wish || wish.wanted === "down" || wish.round !== opened.round || wish.provider !== opened.provider) {
    return "unlink";
  }
  if (!wish.isCompanyActive) {
    return "release";
  }
  if (shown?.status === "CONNECTED") {
    return wish.status !== "CONNECTED" && shown.forMs > SETTLED_MS ? "repeat" : "keep";
  }
  const isAskedAgain = shown !== undefined && wish.status !== shown.status && shown.forMs > SETTLED_MS;
  return isAskedAgain || wish.pairingNumber !== opened.pairingNumber ? "reopen" : "keep";
}
