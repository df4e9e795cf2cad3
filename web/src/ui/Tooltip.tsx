import { styled } from "./styled.ts";
import { cloneElement, useId, useRef, useState, type FocusEvent, type PointerEvent, type ReactElement } from "react";
import { createPortal } from "react-dom";
import { Keys } from "./Keys.tsx";
import { layer, palettes } from "./tokens.ts";

const SHOW_AFTER_MS = 350;

interface Handlers {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void;
}

/** The name of the hovered or focused element, with its shortcut. Never the only place of an information. */
export function Tooltip(props: {
  readonly text: string;
  readonly shortcut?: string | undefined;
  readonly children: ReactElement<Handlers>;
}) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [position, setPosition] = useState<Position>();

  const show = (element: HTMLElement, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPosition(positionFor(element.getBoundingClientRect())), afterMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setPosition(undefined);
  };
  const own = props.children.props;

  return (
    <>
      {cloneElement(props.children, {
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event);
          if (event.pointerType === "mouse") {
            show(event.currentTarget, SHOW_AFTER_MS);
          }
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event);
          hide();
        },
        onPointerDown: (event) => {
          own.onPointerDown?.(event);
          hide();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          if (event.currentTarget.matches(":focus-visible")) {
            show(event.currentTarget, 0);
          }
        },
        onBlur: (event) => {
          own.onBlur?.(event);
          hide();
        },
      })}
      {position &&
        createPortal(
          <Bubble role="tooltip" id={id} style={position}>
            {props.text}
            {props.shortcut && <Keys keys={props.shortcut} />}
          </Bubble>,
          document.body,
        )}
    </>
  );
}

interface Position {
  readonly left: number;
  readonly top: number;
  readonly transform: string;
}

/** Below the element, or above if it does not fit; always inside the window. */
function positionFor(target: DOMRect): Position {
  const isAbove = target.bottom + 40 > window.innerHeight;
  const middle = target.left + target.width / 2;
  const edge = 70;
  const shift = middle < edge ? "0" : middle > window.innerWidth - edge ? "-100%" : "-50%";
  const left = shift === "0" ? target.left : shift === "-50%" ? middle : target.right;
  return {
    left,
    top: isAbove ? target.top - 6 : target.bottom + 6,
    transform: `translate(${shift}, ${isAbove ? "-100%" : "0"})`,
  };
}

const Bubble = styled("div")({
  position: "fixed",
  zIndex: layer.tooltip,
  pointerEvents: "none",
  display: "flex",
  alignItems: "center",
  gap: 6,
  maxWidth: 280,
  padding: "4px 8px",
  borderRadius: 6,
  fontSize: 12,
  lineHeight: 1.35,
  whiteSpace: "nowrap",
  backgroundColor: palettes.light.ink,
  color: palettes.light.panel,
  "[data-theme='dark'] &": { backgroundColor: palettes.dark.ink, color: palettes.dark.background },
});
