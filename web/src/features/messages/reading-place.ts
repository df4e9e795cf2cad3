/** Where in the conversation is the reader: at its end, or further up while new messages come below? */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { messagesOf, type PlacedRow } from "./timeline.ts";

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
    isHeld: () => isHeld.current,
  }));
  return stable;
}

/**
 * What is at its end stays there when it is given less room, as by a composer that grows. Returns the ref of the element
 * that scrolls.
 */
export function useKeepEnd(
  within: number,
  toEnd: () => void,
  /** Nobody moved it yet: then the end is where it belongs, however far its rows have come. */
  isHeld: () => boolean,
): (scroller: HTMLElement | null) => (() => void) | undefined {
  const latest = useRef(toEnd);
  useEffect(() => {
    latest.current = toEnd;
  });
  return useCallback(
    (scroller) => {
      if (!scroller) {
        return undefined;
      }
      let room = scroller.clientHeight;
      const observer = new ResizeObserver(() => {
        // how far the end was before: the place has not moved, only the room
        const wasAway = scroller.scrollHeight - scroller.scrollTop - room;
        room = scroller.clientHeight;
        if (isHeld() || wasAway <= within) {
          latest.current();
        }
      });
      observer.observe(scroller);
      // The rows take their heights after the list has reckoned with them: the place is set again when they stand.
      [...scroller.children].forEach((content) => observer.observe(content));
      return () => observer.disconnect();
    },
    [within, isHeld],
  );
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
    setNewBelow(
      rows
        .slice(seen + 1)
        .flatMap(messagesOf)
        .filter(({ fromMe }) => !fromMe).length,
    );
  }, [rows, isAwayFromEnd]);

  return { isAwayFromEnd, newBelow, checkEnd };
}

/** Whoever sends is taken to what they sent, wherever they were reading: `newest` is the key of what waits to be sent. */
export function useGoToOwn(newest: string | undefined, toEnd: () => void): void {
  const known = useRef(newest);
  const latest = useRef(toEnd);
  useEffect(() => {
    latest.current = toEnd;
  });
  useEffect(() => {
    if (newest !== undefined && newest !== known.current) {
      known.current = newest;
      latest.current();
    }
  }, [newest]);
}
