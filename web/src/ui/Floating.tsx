/** What opens from a button and floats over everything: placed beside it, closed by Escape and by a click elsewhere. */
import { styled } from "./styled.ts";
import { useRef, useState, type ComponentProps, type MouseEvent } from "react";
import { color } from "./tokens.ts";

/** What the button that opens it must carry. */
export interface OpenerProps {
  readonly onPointerDown: () => void;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  readonly "aria-haspopup": "menu" | "dialog";
  readonly "aria-expanded": boolean;
}

/** Whether it is open, from which button, and how to close it. */
export function useFloating(kind: OpenerProps["aria-haspopup"]) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  /** The browser closes it when the pointer is lifted, before the opener hears of a click: was it open when pressed? */
  const wasOpen = useRef(false);

  const close = () => setAnchor(undefined);
  const opener: OpenerProps = {
    onPointerDown: () => {
      wasOpen.current = anchor !== undefined;
    },
    onClick: (event) => {
      event.stopPropagation();
      // a key clicks without a press
      const isOpen = event.detail > 0 ? wasOpen.current : anchor !== undefined;
      setAnchor(isOpen ? undefined : event.currentTarget);
    },
    "aria-haspopup": kind,
    "aria-expanded": anchor !== undefined,
  };
  return { anchor, opener, close };
}

/** With which end of its button a panel is flush. */
export type Align = "start" | "end";

/** The panel itself, in the browser's top layer; drawn only while it is open. */
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
    // Wherever the focus is: what was clicked in the panel may be gone. The drawer or dialog that it stands in stays.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && [...document.querySelectorAll(":popover-open")].at(-1) === panel) {
        event.preventDefault();
        event.stopPropagation();
        panel.hidePopover();
      }
    };
    const letFocusGo = onShown && keepFocus(panel, onShown);
    window.addEventListener("resize", onResize);
    document.addEventListener("keydown", onEscape, true);
    return () => {
      letFocusGo?.();
      window.removeEventListener("resize", onResize);
      document.removeEventListener("keydown", onEscape, true);
    };
  };
  // The same function each time: what is drawn anew is not shown anew, and leaves the focus where it is.
  const [onPanel] = useState(() => (panel: HTMLDivElement | null) => (panel ? show(panel) : undefined));

  return (
    <Panel
      {...rest}
      popover="auto"
      ref={onPanel}
      // Where it was opened from may be a row that opens by a click, or a list that moves by keys.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === "closed" && onDismissed()}
    />
  );
}

/**
 * What has the focus may vanish, as the button that makes a label does when it was clicked: then the panel is entered
 * again, as when it opened. Returns how to stop.
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

/** Below the button and flush with one of its ends; above, or shifted, where the window ends. */
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
  // It hangs in the middle of other things, whose look it must not take over.
  fontSize: 13,
  fontWeight: 400,
  lineHeight: 1.45,
  textAlign: "left",
  whiteSpace: "normal",
  visibility: "visible",
  cursor: "default",
});
