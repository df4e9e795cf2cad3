import { useRef, useState, type ComponentProps, type MouseEvent, type PointerEvent } from "react";
import { useLongPress } from "#web/lib/browser/useLongPress.ts";
import { media } from "#web/ui/theme.ts";

const shown = "div:hover > &, &:focus, [data-row]:focus-visible &, &[aria-expanded='true']";

/**
 * Style of the menu button: visible on hover, focus or while open. On touch screens the invisible button
 * takes no taps, because the bubble itself is tapped or long-pressed.
 */
export const revealOnHover = {
  opacity: 0,
  [shown]: { opacity: 1 },
  "@media (hover: none)": { pointerEvents: "none", [shown]: { pointerEvents: "auto" } },
} as const;

/** Style of what is long-pressed: the browser selects no word of it and opens no menu of its own. */
export const longPressTarget = {
  [media.coarse]: { userSelect: "none", WebkitTouchCallout: "none" },
  "&[data-held]": { filter: "brightness(0.94)" },
} as const;

/** Handlers for the element that is long-pressed. */
export type LongPressProps = Pick<
  ComponentProps<"div">,
  "onPointerDown" | "onPointerUp" | "onPointerCancel" | "onPointerMove" | "onClickCapture" | "onContextMenu"
> & { readonly "data-held": true | undefined };

/**
 * Opens a message's menu by a long press on touch screens. The menu's button takes the ref `menu`; spread `longPress` on the element that is pressed. The menu opens when the finger is lifted, not before: the
 * browser closes a popover when a press ends outside it. Until then `data-held` shows that the press was long enough.
 */
export function useLongPressMenu() {
  const menu = useRef<HTMLButtonElement>(null);
  const [isHeld, setHeld] = useState(false);
  const press = useLongPress(() => setHeld(true));
  const { onPointerUp, onPointerCancel } = press.handlers;
  const isInMenu = ({ target }: MouseEvent) => target instanceof Node && menu.current?.contains(target) === true;

  const longPress: LongPressProps = {
    ...press.handlers,
    onPointerUp: () => {
      onPointerUp();
      if (isHeld) {
        setHeld(false);
        setTimeout(() => menu.current?.click());
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
      if (!isInMenu(event) && press.takeLong()) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    onContextMenu: (event: MouseEvent) => press.isHeld() && event.preventDefault(),
    "data-held": isHeld || undefined,
  };
  return { menu, longPress };
}
