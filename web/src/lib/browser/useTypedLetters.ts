import { useEffect, useRef, type RefObject } from "react";
import { isWriting, keyOwner, registerComposer } from "./key-owner.ts";

/**
 * Sends what is typed or pasted outside of any field into this one: after a click on a bubble, an emoji or the header, the
 * first letter is already text. The focus moves before the browser inserts the letter, so that dead keys work as well.
 */
export function useTypedLetters(
  field: RefObject<HTMLTextAreaElement | null>,
  onPaste: (event: ClipboardEvent) => void,
): void {
  const latest = useRef(onPaste);
  useEffect(() => {
    latest.current = onPaste;
  });
  useEffect(() => registerComposer(field), [field]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && isWriting(event) && keyOwner(event.target) === "composer") {
        field.current?.focus({ preventScroll: true });
      }
    };
    const onPasted = (event: ClipboardEvent) => {
      if (!event.defaultPrevented && keyOwner(event.target) === "composer") {
        event.preventDefault();
        latest.current(event);
      }
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("paste", onPasted);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("paste", onPasted);
    };
  }, [field]);
}
