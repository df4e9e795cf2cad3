import { useCallback, useState } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { readStored, writeStored } from "#web/lib/session/storage.ts";

/** Wide enough for list, conversation and contact side by side. */
const besideFrom = "(min-width: 1440px)";

/** Beside the conversation, the drawer's state is remembered in this browser; as an overlay it is closed at first. */
export function useContactDrawer(ticketId: number, hasRoom: boolean) {
  const isBeside = useMedia(besideFrom) && hasRoom;
  const [isOpenBeside, setOpenBeside] = useState(() => readStored("prosa.contactDrawer") !== "closed");
  const [isOverlayOpen, setOverlayOpen] = useStateOf(ticketId, false);
  const toggle = useCallback(() => {
    if (isBeside) {
      setOpenBeside(!isOpenBeside);
      writeStored("prosa.contactDrawer", isOpenBeside ? "closed" : "open");
    } else {
      setOverlayOpen((isShown) => !isShown);
    }
  }, [isBeside, isOpenBeside, setOverlayOpen]);
  const isOpen = isBeside ? isOpenBeside : isOverlayOpen;
  return { isOpen, isBesideOpen: isBeside && isOpenBeside, isOverlay: !isBeside, toggle };
}
