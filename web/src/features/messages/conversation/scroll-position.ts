/** Scroll position of the reader: at the end of the conversation, or further up while new messages arrive below. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { messagesOf, type RowMessages } from "./timeline.ts";

/** Is the end of the content within so many px of the visible part? */
export function isAtEnd(scroller: HTMLElement | null, within: number): boolean {
  return scroller === null || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= within;
}

/** Pins the view to the end from each opening, while rows are being measured, until the reader scrolls away. */
export function usePinToEnd(visit: number, totalSize: number, toEnd: () => void) {
  const isPinned = useRef(true);
  useLayoutEffect(() => {
    isPinned.current = true;
  }, [visit]);
  useLayoutEffect(() => {
    if (isPinned.current) {
      toEnd();
    }
  }, [visit, totalSize, toEnd]);
  const [stable] = useState(() => ({
    pin: () => {
      isPinned.current = true;
    },
    unpin: () => {
      isPinned.current = false;
    },
    isPinned: () => isPinned.current,
  }));
  return stable;
}

/**
 * Keeps a reader at the end when the scroller becomes smaller, as by a composer that grows. Returns the ref of the
 * element that scrolls.
 */
export function useEndAnchor(
  within: number,
  toEnd: () => void,
  /** A pinned view belongs at the end, whatever the measured distance is. */
  isPinned: () => boolean,
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
      // Known from the observer's first report: reading it here would compute the layout before the rows are in it.
      let height: number | undefined;
      const observer = new ResizeObserver(() => {
        // the distance to the end before the resize: scrollTop has not changed, only the height
        const distance = scroller.scrollHeight - scroller.scrollTop - (height ?? scroller.clientHeight);
        height = scroller.clientHeight;
        if (isPinned() || distance <= within) {
          latest.current();
        }
      });
      observer.observe(scroller);
      // Rows get their real heights after the virtualizer has computed the position: set it again then.
      [...scroller.children].forEach((content) => observer.observe(content));
      return () => observer.disconnect();
    },
    [within, isPinned],
  );
}

/** Counts new messages below a reader who is further up, instead of scrolling to them. */
export function useNewBelow(visit: number, rows: readonly RowMessages[], height: number, isAtEndNow: () => boolean) {
  const [isAwayFromEnd, setAway] = useStateOf(visit, false);
  const [newBelow, setNewBelow] = useStateOf(visit, 0);
  const lastSeen = useRef<number>(undefined);

  const checkEnd = () => {
    const away = !isAtEndNow();
    setAway(away);
    if (!away) {
      lastSeen.current = newestId(rows);
      setNewBelow(0);
    }
  };

  // rows that get their real heights move the end without a scroll event
  const latestCheck = useRef(checkEnd);
  useEffect(() => {
    latestCheck.current = checkEnd;
  });
  useEffect(() => {
    const frame = requestAnimationFrame(() => latestCheck.current());
    return () => cancelAnimationFrame(frame);
  }, [height]);

  useEffect(() => {
    if (isAwayFromEnd) {
      setNewBelow(countNewBelow(rows, lastSeen.current));
    } else {
      lastSeen.current = newestId(rows);
    }
  }, [rows, isAwayFromEnd, setNewBelow]);

  return { isAwayFromEnd, newBelow, checkEnd };
}

function newestId(rows: readonly RowMessages[]): number | undefined {
  return rows.flatMap(messagesOf).at(-1)?.id;
}

/**
 * Pure: how many messages were received after the last one that was seen. By message, not by row: a photo that joins an album
 * gives its row another key. 0 where that message is gone: then nobody knows what is new.
 */
export function countNewBelow(rows: readonly RowMessages[], lastSeenId: number | undefined): number {
  const messages = rows.flatMap(messagesOf);
  const seen = messages.findLastIndex(({ id }) => id === lastSeenId);
  return seen === -1 ? 0 : messages.slice(seen + 1).filter(({ fromMe }) => !fromMe).length;
}

/** Scrolls to the end when the user sends something, wherever they were reading. `newest`: key of the newest pending message. */
export function useScrollToPending(newest: string | undefined, toEnd: () => void): void {
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
