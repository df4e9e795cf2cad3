import { useState, type KeyboardEvent } from "react";
import { useBack } from "../useBack.ts";

/** Whether a list is open. Escape and Back close the list and not the dialog that it is in. */
export function usePopup(onClosed?: () => void) {
  const [isOpen, setOpen] = useState(false);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (!next) {
      onClosed?.();
    }
  };
  useBack(isOpen ? () => onOpenChange(false) : undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onOpenChange(false);
    }
  };
  return { isOpen, onOpenChange, onKeyDown };
}

/** The parent in React may be a row that opens by a click. */
export function stopHere(event: { readonly stopPropagation: () => void }): void {
  event.stopPropagation();
}
