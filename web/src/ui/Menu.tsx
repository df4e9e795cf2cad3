import type { ReactNode } from "react";
import { usePopups } from "./latePopups.tsx";
import { Opening } from "./Opening.tsx";
import type { MenuAction, MenuContent } from "./popups/MenuPopup.tsx";
import { useOpener, type OpenerProps } from "./useOpener.ts";

export type { MenuAction };

/** A menu of actions that opens from a button: `<ActionMenu actions={…} opener={(props) => <IconButton {...props} …/>} />`. */
export function ActionMenu({
  opener,
  ...content
}: MenuContent & { readonly opener: (props: OpenerProps) => ReactNode }) {
  const { anchor, opener: props, close } = useOpener("menu");
  return (
    <>
      {opener(props)}
      {anchor && <OpenMenu {...content} anchor={anchor} onClose={close} />}
    </>
  );
}

/** The menu alone, for a button of its own (`useOpener`). */
export function OpenMenu(props: MenuContent & { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  const popups = usePopups(props.onClose);
  return popups ? <popups.MenuPopup {...props} /> : <Opening anchor={props.anchor} />;
}
