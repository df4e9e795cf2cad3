import { Tooltip } from "@base-ui/react/tooltip";
import { useEffect, useState } from "react";
import { Keys } from "../Keys.tsx";
import { styled } from "../styled.ts";
import { layer, palettes } from "../tokens.ts";

const SHOW_AFTER_MS = 350;

/** The tooltip of the page: of the element under the mouse, or of the one with the keyboard's focus. */
export function Tooltips() {
  const { anchor, hide } = useAnchor();
  return (
    <Tooltip.Root
      open={anchor !== undefined}
      onOpenChange={(_, details) => {
        // Escape also closes what is below the tooltip.
        details.allowPropagation();
        hide();
      }}
    >
      <Tooltip.Portal>
        <Place anchor={anchor} side="bottom" sideOffset={6} collisionPadding={8} positionMethod="fixed">
          <Bubble role="tooltip">
            {anchor?.dataset.tooltip}
            {anchor?.dataset.tooltipKeys && <Keys keys={anchor.dataset.tooltipKeys} />}
          </Bubble>
        </Place>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** The element whose tooltip is shown. */
function useAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement>();

  useEffect(() => {
    let next: HTMLElement | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (element: HTMLElement | undefined, afterMs = 0) => {
      if (element !== next) {
        next = element;
        clearTimeout(timer);
        setAnchor(undefined);
        if (element) {
          timer = setTimeout(() => element.isConnected && setAnchor(element), afterMs);
        }
      }
    };
    const onOver = ({ pointerType, target }: PointerEvent) =>
      pointerType === "mouse" && show(withTooltip(target), SHOW_AFTER_MS);
    const onFocused = (element: EventTarget | null) =>
      show(element instanceof Element && element.matches(":focus-visible") ? withTooltip(element) : undefined);
    const onFocus = ({ target }: FocusEvent) => onFocused(target);
    const hide = () => show(undefined);

    // This code may come after the focus.
    onFocused(document.activeElement);
    document.addEventListener("pointerover", onOver);
    document.addEventListener("pointerdown", hide, true);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    return () => {
      hide();
      document.removeEventListener("pointerover", onOver);
      document.removeEventListener("pointerdown", hide, true);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
    };
  }, []);

  // The element may go away, or get another text, under a resting mouse.
  const [, setChanges] = useState(0);
  useEffect(() => {
    if (!anchor) {
      return undefined;
    }
    const observer = new MutationObserver(() =>
      anchor.isConnected ? setChanges((count) => count + 1) : setAnchor(undefined),
    );
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-tooltip"] });
    return () => observer.disconnect();
  }, [anchor]);

  return { anchor, hide: () => setAnchor(undefined) };
}

function withTooltip(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>("[data-tooltip]")) || undefined;
}

const Place = styled(Tooltip.Positioner)({ zIndex: layer.tooltip, pointerEvents: "none" });
const Bubble = styled(Tooltip.Popup)({
  display: "flex",
  alignItems: "center",
  gap: 6,
  maxWidth: "min(280px, var(--available-width))",
  padding: "4px 8px",
  borderRadius: 6,
  fontSize: 12,
  lineHeight: 1.35,
  backgroundColor: palettes.light.ink,
  color: palettes.light.panel,
  "[data-theme='dark'] &": { backgroundColor: palettes.dark.ink, color: palettes.dark.background },
});
