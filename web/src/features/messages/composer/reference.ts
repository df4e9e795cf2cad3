import { messageRules, type Message } from "@prosa/contract/messages";
import type { Draft } from "#web/lib/browser/draft-store.ts";
import type { MessagePages } from "#web/features/messages/messages.cache.ts";

/** The message that the composer quotes or edits. */
export interface Referred {
  readonly verb: "quote" | "edit";
  /** As it was last seen: a fetch may bring pages without it. */
  readonly message: Message;
}

/** One stretch of time in which a conversation is open. */
interface Visit {
  readonly referred: Referred | undefined;
  /** The draft at the opening. */
  readonly opened: Draft;
  /** The draft now, as this tab or another has changed it. */
  readonly draft: Draft;
}

/**
 * Pure: what a visit refers to now, where it has referred to `referred` so far. What was clicked or brought back stays, with the
 * words that its message has in the loaded pages. A draft brings its message back at the opening: from the newest page, and only
 * while the draft is as it was. Later it would turn the letters that are being typed into a quotation, or into an edit of something
 * else (decision 0160).
 */
export function referredNow(visit: Visit, loaded: MessagePages | undefined, now: number): Referred | undefined {
  const { referred, opened, draft } = visit;
  const pages = loaded?.pages.map(({ messages }) => messages) ?? [];
  if (referred) {
    const current = pages.flat().find(({ id }) => id === referred.message.id) ?? referred.message;
    return isSentElsewhere(referred, draft)
      ? undefined
      : current === referred.message
        ? referred
        : { ...referred, message: current };
  }
  if (!isAsOpened(draft, opened)) {
    return undefined;
  }
  const newest = (wanted: number | undefined) => pages[0]?.find(({ id }) => id === wanted);
  const edited = newest(draft.editedMsgId);
  if (edited) {
    return now - Date.parse(edited.createdAt) < messageRules.editWithinMs
      ? { verb: "edit", message: edited }
      : undefined;
  }
  const quoted = newest(draft.quotedMsgId);
  return quoted && { verb: "quote", message: quoted };
}

/** Nothing was written or chosen. Files do not count: those that were not kept are gone shortly after the opening, by nobody's act. */
function isAsOpened(draft: Draft, opened: Draft): boolean {
  return (
    draft.text === opened.text && draft.quotedMsgId === opened.quotedMsgId && draft.editedMsgId === opened.editedMsgId
  );
}

/** A quotation goes with its draft; of what is written nothing is left that would lose it. */
function isSentElsewhere({ verb }: Referred, { text, files, quotedMsgId, editedMsgId }: Draft): boolean {
  return verb === "quote" && text === "" && files === 0 && quotedMsgId === undefined && editedMsgId === undefined;
}
