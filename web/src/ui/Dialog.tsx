import { usePopups } from "./latePopups.tsx";
import { OpeningDialog } from "./Opening.tsx";
import type { DialogProps } from "./popups/DialogFrame.tsx";
import type { DrawerProps } from "./popups/DrawerPopup.tsx";

/** The frame of every dialog, open as long as it is rendered: focus, Escape, a click outside, the page behind. */
export function Dialog(props: DialogProps) {
  const popups = usePopups();
  return popups ? <popups.DialogPopup {...props} /> : <OpeningDialog />;
}

/** A panel over the page at one of its sides, for phones and narrow windows; open as long as it is rendered. */
export function Drawer(props: DrawerProps) {
  const popups = usePopups();
  return popups ? <popups.DrawerPopup {...props} /> : <OpeningDialog />;
}
