/**
 * The heights of rows that were shown before, so that a conversation opens in one layout: the rows near its end are in its
 * first render, at their places, and nothing is measured before it is painted. The virtualizer corrects what has changed.
 */
import { useLayoutEffect } from "react";
import { observeElementOffset, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";

interface Size {
  readonly width: number;
  readonly height: number;
}
interface KeptSizes {
  /** Heights hold for this width only. */
  readonly width: number;
  readonly rows: VirtualItem[];
}

const KEPT_CONVERSATIONS = 30;
/** Beyond the end of every conversation: the first render shows the last rows. */
const AT_THE_END = 1e9;

const kept = new Map<number, KeptSizes>();
let lastFrame: Size = { width: 0, height: 0 };

/** Options of the virtualizer for its first render. */
export function firstRenderOf(ticketId: number) {
  const sizes = kept.get(ticketId);
  return {
    initialRect: lastFrame,
    initialOffset: AT_THE_END,
    initialMeasurementsCache: sizes?.width === lastFrame.width ? sizes.rows : [],
    // The library's own reads the size at once, which computes the layout in the middle of the first render.
    ...(lastFrame.height > 0 && { observeElementRect: observeSize }),
  };
}

function observeSize(
  { scrollElement }: Virtualizer<HTMLDivElement, Element>,
  report: (size: Size) => void,
): (() => void) | undefined {
  if (!scrollElement) {
    return undefined;
  }
  const observer = new ResizeObserver(() =>
    report({ width: scrollElement.offsetWidth, height: scrollElement.offsetHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
}

/**
 * The scroll to the end that opens a conversation is no scrolling: the library's own observer would have the rows rendered
 * for it before they are painted, and once more after it.
 */
export const observeOffset: typeof observeElementOffset = (virtual, report) => {
  let isMoved = false;
  return observeElementOffset(virtual, (offset, isScrolling) => {
    const element = virtual.scrollElement;
    isMoved ||= element === null || Math.abs(element.scrollHeight - element.clientHeight - offset) > 1;
    report(offset, isMoved && isScrolling);
  });
};

/** Keeps the heights when the conversation is left. */
export function useKeepRowSizes(ticketId: number, virtual: Virtualizer<HTMLDivElement, Element>): void {
  useLayoutEffect(
    () => () => {
      if (virtual.scrollRect && virtual.scrollRect.height > 0) {
        lastFrame = virtual.scrollRect;
        kept.delete(ticketId);
        kept.set(ticketId, { width: lastFrame.width, rows: virtual.takeSnapshot() });
        const [oldest] = kept.keys();
        if (kept.size > KEPT_CONVERSATIONS && oldest !== undefined) {
          kept.delete(oldest);
        }
      }
    },
    [ticketId, virtual],
  );
}
