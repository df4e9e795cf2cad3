import { useEffect, useState } from "react";

/** Narrowest conversation beside the board, in px; the board keeps a lane of 300 px. */
export const paneWidth = 480;
export const laneWidth = 300;

/** Is there room for the board and a conversation beside it? Measured, because the menu may be open or closed. */
export function useRoomBeside() {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [hasRoom, setHasRoom] = useState(true);
  useEffect(() => {
    if (!frame) {
      return undefined;
    }
    const observer = new ResizeObserver(([entry]) => {
      if (entry) {
        setHasRoom(entry.contentRect.width >= paneWidth + laneWidth);
      }
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);
  return { setFrame, hasRoom };
}

/** Escape, unless a field, a menu or a dialog takes it, or something is dragged. */
export function useEscape(onEscape: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isTaken(event.target)) {
        onEscape();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onEscape, isOn]);
}

function isTaken(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null);
  return isTyping || document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [data-held]") !== null;
}
