import { messageRules } from "@prosa/contract/messages";
import { useLayoutEffect, type RefObject } from "react";

/** Of a line in the text field, in px. */
export const rowHeight = 21;

/** Grows the text field with its text, up to five rows (specification 1, section 9). */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = "auto";
      element.style.height = `${Math.min(element.scrollHeight, messageRules.maxRows * rowHeight + 22)}px`;
    }
  }, [field, text]);
}
