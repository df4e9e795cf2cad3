import { useLayoutEffect, type RefObject } from "react";

/** Of a line in the text field, in px. */
export const rowHeight = 21;

/** Grows the text field with its text, as far as its style allows. */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = "auto";
      element.style.height = `${element.scrollHeight}px`;
    }
  }, [field, text]);
}
