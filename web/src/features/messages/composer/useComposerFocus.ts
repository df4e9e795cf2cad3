import type { Ticket } from "@prosa/contract/tickets";
import { isContent, isFocusLost } from "#web/lib/browser/content-focus.ts";
import { isComposerFocused, isPopupOpen } from "#web/lib/browser/key-owner.ts";
import { useEffect, useLayoutEffect, useRef } from "react";
import { dropText, giveText, hasHeldText, loseText } from "./text-ahead.ts";
import { registerComposerFocus, takeFocusRequest, type ComposerMode } from "./composer-focus.ts";

/** Has the focus been put elsewhere since the request, where the popup that has closed was opened from this element? */
type IsOutdatedBy = (opener: EventTarget | null) => boolean;

/**
 * Answers focus requests for this ticket's composer while it is mounted. A request is answered once. What opened last keeps the
 * focus: a composer that is mounted after a palette or a dialog was opened over it gets the focus when that closes. Otherwise
 * what a person types into the palette would be a reply to the contact.
 */
export function useComposerFocus(
  { id, uuid }: Pick<Ticket, "id" | "uuid">,
  focus: (mode: ComposerMode | undefined) => void,
): void {
  const latest = useRef(focus);
  useEffect(() => {
    latest.current = focus;
  });
  // Before the field goes, as where a colleague has taken the conversation.
  useLayoutEffect(() => () => void (isComposerFocused() && loseText()), []);
  useEffect(() => {
    const ticket = { id, uuid };
    let waiting: { readonly mode: ComposerMode | undefined; readonly isOutdatedBy: IsOutdatedBy } | undefined;
    const onRequest = (mode: ComposerMode | undefined, isOutdatedBy: IsOutdatedBy = () => false) => {
      waiting = isPopupOpen() ? { mode, isOutdatedBy } : undefined;
      if (!waiting) {
        latest.current(mode);
        giveText(ticket);
      }
    };
    const onPopupClosed = ({ detail: opener }: CustomEvent<EventTarget | null>) => {
      if (waiting && !isPopupOpen()) {
        const { mode, isOutdatedBy } = waiting;
        waiting = undefined;
        // unless a person has put the focus elsewhere
        if (!isOutdatedBy(opener) && (isFocusLost() || document.activeElement === opener)) {
          latest.current(mode);
          giveText(ticket);
        } else {
          dropText();
        }
      }
    };
    document.addEventListener("popup-closed", onPopupClosed);
    const unregister = registerComposerFocus(id, onRequest);
    const request = takeFocusRequest(id);
    // opened by its address, or from a notification
    if (request || isFocusLost() || hasHeldText(ticket)) {
      // A person who went to another button since, and opened the menu there, goes on from that button.
      const isElsewhere = (opener: EventTarget | null) =>
        opener instanceof HTMLElement && opener.isConnected && opener !== request?.from && !isContent(opener);
      onRequest(request?.mode, request && request.from === undefined ? undefined : isElsewhere);
    }
    return () => {
      document.removeEventListener("popup-closed", onPopupClosed);
      unregister();
    };
  }, [id, uuid]);
}
