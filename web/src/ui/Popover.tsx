import type { ReactNode } from "react";
import { usePopups } from "./latePopups.tsx";
import { Opening } from "./Opening.tsx";
import type { PopoverContent } from "./popups/PopoverPopup.tsx";
import { useOpener, type OpenerProps } from "./useOpener.ts";

/** A panel that opens from a button, 350 px wide by default (specification 1 section 2). */
export function Popover({
  opener,
  ...content
}: PopoverContent & { readonly opener: (props: OpenerProps) => ReactNode }) {
  const { anchor, opener: props, close } = useOpener("dialog");
  return (
    <>
      {opener(props)}
      {anchor && <OpenPopover {...content} anchor={anchor} onClose={close} />}
    </>
  );
}

function OpenPopover(props: PopoverContent & { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  const popups = usePopups(props.onClose);
  return popups ? <popups.PopoverPopup {...props} /> : <Opening anchor={props.anchor} />;
}
