import { useLayoutEffect, useRef, type RefObject } from "react";

/** Of a line in the text field, in px. */
export const rowHeight = 21;

/** Grows the text field with its text, as far as its style allows, and again when its width changes. */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  /** Of the observer's last report. */
  const width = useRef<number>(undefined);
  useLayoutEffect(() => {
    // An empty field waits for the first report: measured here, it would compute the layout in the middle of the first render.
    if (field.current && (text !== "" || width.current !== undefined)) {
      fitHeight(field.current);
    }
  }, [field, text]);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) {
      return;
    }
    const observer = new ResizeObserver(() => {
      const isFirst = width.current === undefined;
      if (element.clientWidth !== width.current) {
        width.current = element.clientWidth;
        // what is empty from the start has the height of its one row
        if (!isFirst || element.value !== "") {
          fitHeight(element);
        }
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
