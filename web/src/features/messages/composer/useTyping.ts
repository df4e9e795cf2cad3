import { useEffect, useRef } from "react";
import { emitToServer } from "#web/lib/realtime/socket.ts";

/** The typing indicator is sent at most this often (ms). */
const typingIntervalMs = 3_000;

/** Sends the typing indicator to colleagues and to the contact, and clears it when the text is empty or the composer closes. */
export function useTyping(ticketId: number) {
  const sentAt = useRef(0);
  useEffect(
    () => () => {
      if (sentAt.current > 0) {
        sentAt.current = 0;
        emitToServer("typing", ticketId, false);
      }
    },
    [ticketId],
  );
  return (isTyping: boolean) => {
    const now = Date.now();
    if (!isTyping && sentAt.current > 0) {
      sentAt.current = 0;
      emitToServer("typing", ticketId, false);
    } else if (isTyping && now - sentAt.current > typingIntervalMs) {
      sentAt.current = now;
      emitToServer("typing", ticketId, true);
    }
  };
}
