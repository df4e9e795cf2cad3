import { useEffect, useRef, type PointerEvent } from "react";

const holdMs = 500;
/** A finger that moves further is scrolling. */
const slackPx = 10;

/** A finger that stays where it is for half a second; the click at its end is none. Spread `handlers` on the element. */
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
    /** Is a finger down? The menu of the browser would come between. */
    isHeld: () => press.current !== undefined,
    /** Ends the long press: its click is not one. */
    takeLong: () => {
      const was = wasLong.current;
      wasLong.current = false;
      return was;
    },
  };
}
