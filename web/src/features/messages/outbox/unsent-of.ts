import type { Unsent } from "#web/lib/browser/unsent.ts";
import type { OutboxEntry } from "./outbox.ts";

/** Most messages are stored sooner: their rows need no mark that comes and goes. */
export const SLOW_MS = 1_000;

/** What the rows of the list say of these entries: one that failed comes before those that have waited for `SLOW_MS`. */
export function unsentOf(entries: readonly OutboxEntry[], now: number): ReadonlyMap<number, Unsent> {
  const unsent = new Map<number, Unsent>();
  const slow = entries.filter((entry) => entry.state === "failed" || now - entry.writtenAt >= SLOW_MS);
  const slowTickets = new Set(slow.map(({ ticketId }) => ticketId));
  for (const entry of entries) {
    const { ticketId, state, body, file } = entry;
    const isFailed = state === "failed";
    if (slowTickets.has(ticketId) && (isFailed || !unsent.get(ticketId)?.isFailed)) {
      unsent.set(ticketId, { isFailed, text: body || (file?.name ?? ""), type: typeOf(entry) });
    }
  }
  return unsent;
}

function typeOf({ file }: OutboxEntry): string {
  const kind = file?.blob.type.split("/")[0] ?? "chat";
  return file === null || ["image", "video", "audio"].includes(kind) ? kind : "application";
}
