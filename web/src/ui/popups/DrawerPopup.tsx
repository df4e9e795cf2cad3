import { Drawer } from "@base-ui/react/drawer";
import type { ReactNode } from "react";
import { styled } from "../styled.ts";
import { color, layer, MOTION_MS } from "../tokens.ts";
import { useBack } from "../useBack.ts";
import { Confirms } from "./Confirms.tsx";
import { closeInstead, ownEvents } from "./events.ts";
import { firstControl, ownFocus, useInitialFocus, useReturnFocus } from "./focus.ts";

export interface DrawerProps {
  readonly label: string;
  readonly side: "left" | "right";
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel at a side of the window; a swipe to that side closes it. */
export function DrawerPopup({ label, side, onClose, children }: DrawerProps) {
  useReturnFocus();
  useBack(onClose);
  return (
    <Drawer.Root open swipeDirection={side} onOpenChange={closeInstead(onClose)}>
      <Drawer.Portal>
        <Scrim />
        <Space {...ownEvents} data-side={side}>
          <Panel aria-label={label} data-side={side} ref={useInitialFocus(firstControl)} {...ownFocus}>
            {children}
            <Confirms />
          </Panel>
        </Space>
      </Drawer.Portal>
    </Drawer.Root>
  );
}

const Scrim = styled(Drawer.Backdrop)({
  position: "fixed",
  inset: 0,
  zIndex: layer.drawer,
  backgroundColor: color.scrim,
  opacity: "calc(1 - var(--drawer-swipe-progress))",
  animation: `prosa-appear ${MOTION_MS}ms ease-out`,
});
const Space = styled(Drawer.Viewport)({
  position: "fixed",
  inset: 0,
  zIndex: layer.drawer,
  display: "flex",
  "&[data-side='right']": { justifyContent: "flex-end" },
});
const Panel = styled(Drawer.Popup)({
  display: "flex",
  flexDirection: "column",
  maxWidth: "100%",
  height: "100%",
  overflowY: "auto",
  overscrollBehavior: "contain",
  outline: 0,
  backgroundColor: color.panel,
  transform: "translateX(var(--drawer-swipe-movement-x))",
  "&[data-side='left']": { borderRight: `1px solid ${color.line}` },
  "&[data-side='right']": { borderLeft: `1px solid ${color.line}` },
});
