/** Where in the conversation is the reader: at its end, or further up while new messages come below? */
import type { Message } from "@prosa/contract/messages";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** What is asked of a row: its name, and the message if it is one. */
interface PlacedRow {
  readonly key: string;
  readonly message?: Message;
}

/** Is the end of the content within so many px of what is seen? */
export function isAtEnd(scroller: HTMLElement | null, within: number): boolean {
  return scroller === null || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= within;
}

/** A conversation opens at its end and stays there while its rows take their true heights, until the reader moves away. */
export function useStayAtEnd(totalSize: number, toEnd: () => void) {
  const isHeld = useRef(true);
  useLayoutEffect(() => {
    if (isHeld.current) {
      toEnd();
    }
  }, [totalSize, toEnd]);
  const [stable] = useState(() => ({
    hold: () => {
      isHeld.current = true;
    },
    letGo: () => {
      isHeld.current = false;
    },
  }));
  return stable;
}

/** Counts what came while the reader was further up, instead of moving them. */
export function useNewBelow(rows: readonly PlacedRow[], height: number, isAtEndNow: () => boolean) {
  const [isAwayFromEnd, setAway] = useState(false);
  const [newBelow, setNewBelow] = useState(0);
  const lastSeen = useRef<string>(undefined);

  const checkEnd = () => {
    const away = !isAtEndNow();
    setAway(away);
    if (!away) {
      lastSeen.current = rows.at(-1)?.key;
      setNewBelow(0);
    }
  };

  // rows that take their true height move the end without a scroll
  const latestCheck = useRef(checkEnd);
  useEffect(() => {
    latestCheck.current = checkEnd;
  });
  useEffect(() => {
    const frame = requestAnimationFrame(() => latestCheck.current());
    return () => cancelAnimationFrame(frame);
  }, [height]);

  useEffect(() => {
    if (!isAwayFromEnd) {
      lastSeen.current = rows.at(-1)?.key;
      return;
    }
    const seen = rows.findLastIndex((row) => row.key === lastSeen.current);
    setNewBelow(rows.slice(seen + 1).filter((row) => row.message?.fromMe === false).length);
  }, [rows, isAwayFromEnd]);

  return { isAwayFromEnd, newBelow, checkEnd };
}
