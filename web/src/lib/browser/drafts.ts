import { useSyncExternalStore } from "react";
import { currentSession, onSignedOut } from "#web/lib/session/session.ts";
import { createDrafts, type Draft, type DraftKind } from "./draft-store.ts";

/**
 * This browser's unsent texts, by user: `drafts.read("ticket", id)`. They survive switching, a reload and a crash, are the
 * same in every tab, and are gone 30 days after the last change or when the user signs out.
 */
export const drafts = createDrafts({
  storage: () => localStorage,
  userId: () => {
    const session = currentSession();
    return session.state === "in" ? session.user.id : 0;
  },
  now: Date.now,
});

/** The draft of a conversation, live; `text` is "" and `files` 0 where there is none. The same object until it changes. */
export function useDraft(kind: DraftKind, id: number): Draft {
  return useSyncExternalStore(
    (listener) => drafts.subscribe(kind, id, listener),
    () => drafts.read(kind, id),
  );
}

/** For as long as the page lives: a draft sent in another tab goes here too, and those of who signs out. */
export function watchDrafts(): void {
  window.addEventListener("storage", ({ key }) => drafts.onOtherTab(key));
  onSignedOut((isChosen, userId) => {
    if (isChosen && userId !== undefined) {
      drafts.clear(userId);
    }
  });
}
