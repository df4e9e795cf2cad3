import { isFocusLost } from "#web/lib/browser/content-focus.ts";
import { matchesMedia } from "#web/lib/browser/hooks.ts";
import { useEffect, useRef } from "react";

/** What is written in the composer: a reply to the contact, or a note for the team. */
export type ComposerMode = "reply" | "note";

interface FocusRequest {
  readonly ticketId: number;
  readonly mode: ComposerMode | undefined;
  readonly until: number;
}

/** A composer that is mounted later than this does not take the focus away from what the user does by then (ms). */
const REQUEST_MS = 15_000;

let requested: FocusRequest | undefined;
const composers = new Map<number, (mode: ComposerMode | undefined) => void>();

/**
 * Focuses the composer of a ticket, at once or when it is mounted: after opening, accepting and reopening, what the user
 * types next is text. With a mode it switches to it; asked for twice, "note" switches back.
 */
export function requestComposerFocus(ticketId: number, mode?: ComposerMode): void {
  const focus = composers.get(ticketId);
  requested = focus ? undefined : { ticketId, mode, until: Date.now() + REQUEST_MS };
  focus?.(mode);
}

/** Answers focus requests for this ticket's composer while it is mounted. A request is answered once. */
export function useComposerFocus(ticketId: number, focus: (mode: ComposerMode | undefined) => void): void {
  const latest = useRef(focus);
  useEffect(() => {
    latest.current = focus;
  });
  useEffect(() => {
    const onRequest = (mode: ComposerMode | undefined) => latest.current(mode);
    composers.set(ticketId, onRequest);
    if (requested?.ticketId === ticketId && requested.until > Date.now()) {
      onRequest(requested.mode);
      requested = undefined;
    } else if (isFocusLost()) {
      // opened by its address, or from a notification
      onRequest(undefined);
    }
    return () => {
      if (composers.get(ticketId) === onRequest) {
        composers.delete(ticketId);
      }
    };
  }, [ticketId]);
}

/** False on touch screens, where the focus would open the on-screen keyboard. */
export function hasHardwareKeyboard(): boolean {
  return matchesMedia("(hover: hover)");
}
