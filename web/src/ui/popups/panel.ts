/** The look of menus and popovers. */
import { color, layer } from "../tokens.ts";

export const panelStyle = {
  maxWidth: "calc(100vw - 16px)",
  // What is left of the window on this side of the button.
  maxHeight: "var(--available-height)",
  overflow: "auto",
  overscrollBehavior: "contain",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  outline: 0,
  backgroundColor: color.raised,
  color: color.ink,
  boxShadow: color.shadow,
  fontSize: 13,
} as const;

/** Props of Base UI's positioner: below the button, above or shifted where the window ends. */
export const placed = { side: "bottom", sideOffset: 4, collisionPadding: 8, positionMethod: "fixed" } as const;

export const positionerStyle = { zIndex: layer.popover } as const;
