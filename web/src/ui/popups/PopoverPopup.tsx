import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import { styled } from "../styled.ts";
import { size } from "../tokens.ts";
import type { Align } from "../useOpener.ts";
import { useBack } from "../useBack.ts";
import { closeUnlessOn, panelEvents } from "./events.ts";
import { firstControl, ownFocus, useInitialFocus, useReturnFocus } from "./focus.ts";
import { panelStyle, placed, positionerStyle } from "./panel.ts";

export interface PopoverContent {
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly width?: number;
  readonly align?: Align;
}

/** The open panel of a `Popover`. */
export function PopoverPopup({
  anchor,
  onClose,
  label,
  children,
  width = size.popover,
  align = "end",
}: PopoverContent & { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  useReturnFocus(anchor);
  useBack(onClose);
  return (
    <Popover.Root open onOpenChange={closeUnlessOn(anchor, onClose)}>
      <Popover.Portal>
        <Popover.Positioner
          {...placed}
          {...panelEvents(anchor, onClose)}
          anchor={anchor}
          align={align}
          style={positionerStyle}
        >
          <Panel aria-label={label} ref={useInitialFocus(firstControl)} {...ownFocus} style={{ width }}>
            {typeof children === "function" ? children(onClose) : children}
          </Panel>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const Panel = styled(Popover.Popup)(panelStyle);
