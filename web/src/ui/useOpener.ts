/** State of what opens from a button: a menu or a popover. */
import { useState, type MouseEvent } from "react";

/** Props for the button that opens it. */
export interface OpenerProps {
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  readonly "aria-haspopup": "menu" | "dialog";
  readonly "aria-expanded": boolean;
}

/** Which edge of the button the panel is aligned with. */
export type Align = "start" | "end";

/** The button that it is anchored to while open, the button's props, and `close`. */
export function useOpener(kind: OpenerProps["aria-haspopup"]) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const opener: OpenerProps = {
    onClick: (event) => {
      // The button may be in a row that opens by a click.
      event.stopPropagation();
      setAnchor(anchor ? undefined : event.currentTarget);
    },
    "aria-haspopup": kind,
    "aria-expanded": anchor !== undefined,
  };
  return { anchor, opener, close: () => setAnchor(undefined) };
}
