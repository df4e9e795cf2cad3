import { useRef, useState, type MouseEvent, type PointerEvent } from "react";
import { useLongPress } from "#web/lib/useLongPress.ts";

const shown = "div:hover > &, &:focus-within, &:has([aria-expanded='true'])";

/** The place of a button that is seen when it is needed. Where fingers are, the bubble is tapped or held for it: unseen, it takes no taps. */
export const shownOnHover = {
  opacity: 0,
  [shown]: { opacity: 1 },
  "@media (hover: none)": { pointerEvents: "none", [shown]: { pointerEvents: "auto" } },
} as const;

/** A long press means this element, not a word of it to copy. */
export const holdable = {
  "@media (pointer: coarse)": { userSelect: "none", WebkitTouchCallout: "none" },
  "&[data-held]": { filter: "brightness(0.94)" },
} as const;

/**
 * A finger that rests on a message opens the menu of its button in `tools`. Not before it is lifted: the browser closes what
 * floats when a press ends elsewhere. Until then `data-held` shows that it was long enough.
 */
export function useHold() {
  const tools = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const press = useLongPress(() => setHeld(true));
  const { onPointerUp, onPointerCancel } = press.handlers;
  const isOfTools = ({ target }: MouseEvent) => target instanceof Node && tools.current?.contains(target) === true;

  return {
    tools,
    held: {
      ...press.handlers,
      onPointerUp: () => {
        onPointerUp();
        if (isHeld) {
          setHeld(false);
          setTimeout(() => tools.current?.querySelector("button")?.click());
        }
      },
      onPointerCancel: () => {
        onPointerCancel();
        setHeld(false);
      },
      onPointerMove: (event: PointerEvent) => {
        press.handlers.onPointerMove(event);
        if (isHeld && !press.isHeld()) {
          setHeld(false);
        }
      },
      // the click at the end of the press
      onClickCapture: (event: MouseEvent) => {
        if (!isOfTools(event) && press.takeLong()) {
          event.preventDefault();
          event.stopPropagation();
        }
      },
      onContextMenu: (event: MouseEvent) => press.isHeld() && event.preventDefault(),
      "data-held": isHeld || undefined,
    },
  };
}
