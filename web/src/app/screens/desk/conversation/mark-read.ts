import type { Ticket } from "@prosa/contract/tickets";
import { liveState, watch } from "#web/lib/realtime/socket.ts";

/**
 * Asks to mark a conversation as read for as long as it is shown with something unread: at once if its tab is visible, else as soon
 * as it is. What was asked for and not answered is asked for again when the network or the socket is back; otherwise the customer
 * would see no blue ticks for what is being read (M-14). Returns the function that stops it.
 */
export function keepMarkedRead(markRead: () => Promise<unknown>): () => void {
  let isAnswered = false;
  const ask = () => {
    if (document.visibilityState === "visible") {
      void markRead().then(
        () => (isAnswered = true),
        () => undefined,
      );
    }
  };
  const askAgain = () => !isAnswered && ask();
  const stop = watch(() => liveState() === "live" && askAgain());
  ask();
  document.addEventListener("visibilitychange", ask);
  window.addEventListener("focus", ask);
  window.addEventListener("online", askAgain);
  return () => {
    stop();
    document.removeEventListener("visibilitychange", ask);
    window.removeEventListener("focus", ask);
    window.removeEventListener("online", askAgain);
  };
}

/**
 * Pure: the version of a conversation with something unread, which each message raises; undefined where all is read. The count does not
 * tell one message from the next: where that came while the one before was being marked as read, it is 1 before and after (M-14).
 */
export function unreadVersion({
  unreadMessages,
  version,
}: Pick<Ticket, "unreadMessages" | "version">): number | undefined {
  return unreadMessages > 0 ? version : undefined;
}
