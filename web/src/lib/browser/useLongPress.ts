import { useEffect, useRef, type PointerEvent } from "react";

const holdMs = 500;
/** A touch that moves further is a scroll (px). */
const slackPx = 10;

/** Long press of half a second; suppresses the click at its end. Spread `handlers` on the element. */
export function useLongPress(run: () => void) {
  const press = useRef<{ readonly x: number; readonly y: number; readonly timer: number }>(undefined);
  const wasLong = useRef(false);

  const cancel = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => cancel, []);

  return {
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
        wasLong.current = false;
        if (pointerType === "touch") {
          const timer = window.setTimeout(() => {
            wasLong.current = true;
            run();
          }, holdMs);
          press.current = { x, y, timer };
        }
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = press.current ?? { x: clientX, y: clientY };
        if (Math.hypot(clientX - x, clientY - y) > slackPx) {
          cancel();
        }
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
    },
    /** Whether a touch is down, to suppress the browser's context menu. */
    isHeld: () => press.current !== undefined,
    /** Ends the long press and suppresses its click. */
    takeLong: () => {
      const was = wasLong.current;
      wasLong.current = false;
      return was;
    },
  };
}
