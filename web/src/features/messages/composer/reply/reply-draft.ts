import { drafts } from "#web/lib/browser/drafts.ts";

/** Server time (ms) since when the text that is being put into the draft was made; only while it is put there. */
let madeSince: number | undefined;

/**
 * Puts a text into the reply's draft that was not typed there, such as a model's suggestion, which knows the conversation as it
 * was at `since` (server time, ms): a colleague who replied after that is told before it is sent (reply collision).
 */
export function writeReplyDraft(ticketId: number, text: string, since: number): void {
  madeSince = since;
  try {
    drafts.write("ticket", ticketId, { text });
  } finally {
    madeSince = undefined;
  }
}

/** Since when the draft's text is being written (server time, ms), with what was known of that; undefined while there is none. */
export function replyBeganAt(ticketId: number, known: number | undefined, now: number): number | undefined {
  const isEmpty = drafts.read("ticket", ticketId).text === "";
  return isEmpty ? undefined : Math.min(known ?? now, madeSince ?? now);
}
