import { Dialog } from "@base-ui/react/dialog";
import type { KeyboardEvent, ReactNode } from "react";
import { styled } from "../styled.ts";
import { color, layer, media, MOTION_MS } from "../tokens.ts";
import { useBack } from "../useBack.ts";
import { closeInstead, ownEvents } from "./events.ts";
import { ownFocus, useInitialFocus, useReturnFocus } from "./focus.ts";

export interface DialogProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Largest width: 444, 600, 900 or 1200 px. */
  readonly width?: "xs" | "sm" | "md" | "lg";
  /** Does it fill the window? By default on a phone only. */
  readonly fills?: "phone" | "always" | "never";
  readonly isAtTop?: boolean;
  readonly role?: "dialog" | "alertdialog";
  /** The element that gets the focus; by default the dialog itself. */
  readonly initialFocus?: (dialog: HTMLElement) => HTMLElement | null;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly className?: string;
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
  readonly "aria-describedby"?: string;
}

/** A dialog over the page. What opens over it is rendered inside it, so that Base UI knows which of them is on top. */
export function DialogFrame({
  onClose,
  width = "sm",
  fills = "phone",
  isAtTop = false,
  initialFocus = itself,
  children,
  ...rest
}: DialogProps) {
  useReturnFocus();
  useBack(onClose);
  return (
    <Dialog.Root open onOpenChange={closeInstead(onClose)}>
      <Dialog.Portal>
        <Scrim forceRender />
        <Space {...ownEvents} data-fills={fills} data-top={isAtTop || undefined}>
          <Frame {...rest} data-width={width} data-fills={fills} ref={useInitialFocus(initialFocus)} {...ownFocus}>
            {children}
          </Frame>
        </Space>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A screen reader then begins with the title. */
const itself = (dialog: HTMLElement) => dialog;

const appear = { animation: `prosa-appear ${MOTION_MS}ms ease-out` } as const;

export const Scrim = styled(Dialog.Backdrop)({
  position: "fixed",
  inset: 0,
  zIndex: layer.popover,
  backgroundColor: color.scrim,
  ...appear,
});

const filling = { padding: 0 } as const;
const Space = styled(Dialog.Viewport)({
  position: "fixed",
  inset: 0,
  zIndex: layer.popover,
  display: "flex",
  alignItems: "center",
  justifyContent: "center",
  padding: 32,
  "&[data-top]": { alignItems: "flex-start", paddingTop: "8vh" },
  "&[data-fills='always']": filling,
  [media.phone]: { padding: 16, "&[data-fills='phone']": filling },
});

const filled = { maxWidth: "none", height: "100%", border: 0, borderRadius: 0 } as const;
const Frame = styled(Dialog.Popup)({
  display: "flex",
  flexDirection: "column",
  width: "100%",
  maxHeight: "100%",
  overflowY: "auto",
  border: `1px solid ${color.line}`,
  borderRadius: 12,
  outline: 0,
  backgroundColor: color.raised,
  color: color.ink,
  boxShadow: color.shadow,
  ...appear,
  "&[data-width='xs']": { maxWidth: 444 },
  "&[data-width='sm']": { maxWidth: 600 },
  "&[data-width='md']": { maxWidth: 900 },
  "&[data-width='lg']": { maxWidth: 1200 },
  // What fills it paints it: the page shines through a picture's frame.
  "&[data-fills='always']": { ...filled, backgroundColor: "transparent" },
  [media.phone]: { "&[data-fills='phone']": filled },
});
