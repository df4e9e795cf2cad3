import { useLayoutEffect, type RefObject } from "react";

/** Of a line in the text field, in px. */
export const rowHeight = 21;

/** Grows the text field with its text, as far as its style allows, and again when its width changes. */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (field.current) {
      fitHeight(field.current);
    }
  }, [field, text]);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) {
      return;
    }
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) {
        width = element.clientWidth;
        fitHeight(element);
      }
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [field]);
}

function fitHeight(element: HTMLTextAreaElement): void {
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
}
