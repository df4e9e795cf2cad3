import { usePopups } from "#web/ui/latePopups.tsx";
import { OpeningDialog } from "#web/ui/Opening.tsx";
import type { DialogProps } from "#web/ui/popups/DialogFrame.tsx";
import type { DrawerProps } from "#web/ui/popups/DrawerPopup.tsx";

/** The frame of every dialog, open as long as it is rendered: focus, Escape, a click outside, the page behind. */
export function Dialog(props: DialogProps) {
  const popups = usePopups(props.onClose);
  return popups ? <popups.DialogPopup {...props} /> : <OpeningDialog />;
}

/** A panel over the page at one of its sides, for phones and narrow windows; open as long as it is rendered. */
export function Drawer(props: DrawerProps) {
  const popups = usePopups(props.onClose);
  return popups ? <popups.DrawerPopup {...props} /> : <OpeningDialog />;
}
