import { drafts } from "#web/lib/browser/drafts.ts";
import { isPopupOpen } from "#web/lib/browser/key-owner.ts";
import { holdText, loseText } from "./text-ahead.ts";

/** What is written in the composer: a reply to the contact, or a note for the team. */
export type ComposerMode = "reply" | "note";

interface FocusRequest {
  readonly ticketId: number;
  readonly mode: ComposerMode | undefined;
  readonly until: number;
  /** What had the focus when it was made; undefined where that was in a popup, which closes with it. */
  readonly from: Element | null | undefined;
}

/**
 * A composer that is mounted later than this does not take the focus away from what the user does by then (ms). Longer than an answer may
 * take (lib/api/transport.ts).
 */
const REQUEST_MS = 31_000;

let requested: FocusRequest | undefined;
const composers = new Map<number, (mode: ComposerMode | undefined) => void>();

/**
 * Focuses the composer of a ticket, at once or when it is mounted: after opening, accepting and reopening, what the user
 * types next is text, and is held until then. With a mode it switches to it; asked for twice, "note" switches back.
 */
export function requestComposerFocus(ticketId: number, mode?: ComposerMode): void {
  const focus = composers.get(ticketId);
  if (focus) {
    requested = undefined;
    focus(mode);
  } else {
    const until = Date.now() + REQUEST_MS;
    requested = { ticketId, mode, until, from: isPopupOpen() ? undefined : document.activeElement };
    holdText(ticketId, until);
  }
}

/** The same when a ticket is about to open whose composer was asked for with the click: it may have taken longer than that counts. */
export function renewComposerFocus(ticketId: number): void {
  if (!composers.has(ticketId)) {
    requestComposerFocus(ticketId);
  }
}

/**
 * The composer that was asked for does not come: the ticket cannot be written in. What was typed for it is kept as its draft where it may
 * still be opened (`isKept`), as after a failure.
 */
export function withdrawComposerFocus(ticketId: number, isKept = false): void {
  if (requested?.ticketId !== ticketId) {
    return;
  }
  requested = undefined;
  const text = loseText();
  if (isKept && text) {
    const before = drafts.read("ticket", ticketId).text;
    drafts.write("ticket", ticketId, { text: `${before}${text}` });
  }
}

/** The composer of this ticket is mounted, and focuses itself by `focus`; returns what unregisters it. */
export function registerComposerFocus(ticketId: number, focus: (mode: ComposerMode | undefined) => void): () => void {
  composers.set(ticketId, focus);
  return () => {
    if (composers.get(ticketId) === focus) {
      composers.delete(ticketId);
    }
  };
}

/** The request that waited for the composer of this ticket, once. */
export function takeFocusRequest(ticketId: number): FocusRequest | undefined {
  const request = requested?.ticketId === ticketId && requested.until > Date.now() ? requested : undefined;
  requested = request ? undefined : requested;
  return request;
}
