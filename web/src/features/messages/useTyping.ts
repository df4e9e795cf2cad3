import { useEffect, useRef } from "react";
import { tellServer } from "#web/lib/socket.ts";

/** "Is typing" is told at most this often (ms). */
const typingEvery = 3_000;

/** Tells colleagues and the contact that somebody writes, and that they stopped. */
export function useTyping(ticketId: number) {
  const toldAt = useRef(0);
  useEffect(() => () => void (toldAt.current > 0 && tellServer("typing", ticketId, false)), [ticketId]);
  return (isTyping: boolean) => {
    const now = Date.now();
    if (!isTyping && toldAt.current > 0) {
      toldAt.current = 0;
      tellServer("typing", ticketId, false);
    } else if (isTyping && now - toldAt.current > typingEvery) {
      toldAt.current = now;
      tellServer("typing", ticketId, true);
    }
  };
}
