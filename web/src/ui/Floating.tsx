/** A popover that opens from a button: placed beside it, closed by Escape and by a click outside. */
import { styled } from "./styled.ts";
import { useRef, useState, type ComponentProps, type MouseEvent } from "react";
import { color } from "./tokens.ts";

/** Props for the button that opens it. */
export interface OpenerProps {
  readonly onPointerDown: () => void;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  readonly "aria-haspopup": "menu" | "dialog";
  readonly "aria-expanded": boolean;
}

/** State of a popover: the button it is anchored to while open, the button's props, and `close`. */
export function useFloating(kind: OpenerProps["aria-haspopup"]) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  /** Was it open on pointerdown? The browser closes a popover on pointerup, before the button gets the click. */
  const wasOpen = useRef(false);

  const close = () => setAnchor(undefined);
  const opener: OpenerProps = {
    onPointerDown: () => {
      wasOpen.current = anchor !== undefined;
    },
    onClick: (event) => {
      event.stopPropagation();
      // a click by keyboard has no pointerdown
      const isOpen = event.detail > 0 ? wasOpen.current : anchor !== undefined;
      setAnchor(isOpen ? undefined : event.currentTarget);
    },
    "aria-haspopup": kind,
    "aria-expanded": anchor !== undefined,
  };
  return { anchor, opener, close };
}

/** Which edge of the button the panel is aligned with. */
export type Align = "start" | "end";

/** The panel in the browser's top layer; rendered only while it is open. */
export function Floating({
  anchor,
  align = "end",
  onDismissed,
  onShown,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<"div">, "ref" | "popover"> & {
  readonly anchor: HTMLElement;
  readonly align?: Align | undefined;
  readonly onDismissed: () => void;
  readonly onShown?: (panel: HTMLElement) => void;
}) {
  const show = (panel: HTMLDivElement) => {
    panel.showPopover();
    positionPanel(panel, anchor.getBoundingClientRect(), align);
    onShown?.(panel);
    const onResize = () => panel.hidePopover();
    // On the document, because the focused element may be gone. Closes the topmost popover, not the dialog around it.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && [...document.querySelectorAll(":popover-open")].at(-1) === panel) {
        event.preventDefault();
        event.stopPropagation();
        panel.hidePopover();
      }
    };
    const stopKeepingFocus = onShown && keepFocus(panel, onShown);
    window.addEventListener("resize", onResize);
    document.addEventListener("keydown", onEscape, true);
    return () => {
      stopKeepingFocus?.();
      window.removeEventListener("resize", onResize);
      document.removeEventListener("keydown", onEscape, true);
    };
  };
  // A stable ref callback: another one would show the popover again at each render and move the focus.
  const [onPanel] = useState(() => (panel: HTMLDivElement | null) => (panel ? show(panel) : undefined));

  return (
    <Panel
      {...rest}
      popover="auto"
      ref={onPanel}
      // The parent in React may be a row that opens by a click.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === "closed" && onDismissed()}
    />
  );
}

/**
 * Focuses the panel again, as when it opened, if the focused element is removed, for example a clicked "create" button.
 * Returns a function that stops it.
 */
function keepFocus(panel: HTMLElement, enter: (panel: HTMLElement) => void): () => void {
  let isInside = panel.contains(document.activeElement);
  const onFocus = ({ target }: FocusEvent) => {
    isInside = panel.contains(target as Node);
  };
  const observer = new MutationObserver(() => {
    if (isInside && document.activeElement === document.body && panel.matches(":popover-open")) {
      enter(panel);
    }
  });
  document.addEventListener("focusin", onFocus);
  observer.observe(panel, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

const GAP = 4;
const EDGE = 8;

/** Places the panel below the button, aligned with one of its edges; above or shifted where the window ends. */
function positionPanel(panel: HTMLElement, button: DOMRect, align: Align): void {
  const { width, height } = panel.getBoundingClientRect();
  const below = button.bottom + GAP;
  const above = button.top - GAP - height;
  const fitsBelow = below + height <= window.innerHeight - EDGE;
  const top = fitsBelow || above < EDGE ? Math.min(below, window.innerHeight - EDGE - height) : above;
  const flush = align === "start" ? button.left : button.right - width;
  const left = Math.min(flush, window.innerWidth - EDGE - width);
  panel.style.top = `${Math.max(EDGE, top)}px`;
  panel.style.left = `${Math.max(EDGE, left)}px`;
}

const Panel = styled("div")({
  position: "fixed",
  inset: "auto",
  margin: 0,
  padding: 0,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  maxWidth: "calc(100vw - 16px)",
  maxHeight: "calc(100dvh - 16px)",
  overflow: "auto",
  backgroundColor: color.raised,
  color: color.ink,
  boxShadow: color.shadow,
  // Reset what it would inherit from the elements around it.
  fontSize: 13,
  fontWeight: 400,
  lineHeight: 1.45,
  textAlign: "left",
  whiteSpace: "normal",
  visibility: "visible",
  cursor: "default",
});
