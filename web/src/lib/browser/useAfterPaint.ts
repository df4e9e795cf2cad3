import { startTransition, useEffect, useRef, useState } from "react";

/**
 * The value as it was until what has changed beside it is painted: what is looked at second is drawn second. `id` says what
 * the value is about; a change of the same thing is shown at once.
 */
export function useAfterPaint<T>(value: T, id: string | number): T {
  const [painted, setPainted] = useState(id);
  const last = useRef(value);
  const isCurrent = painted === id;
  useEffect(() => {
    if (isCurrent) {
      last.current = value;
      return undefined;
    }
    return afterPaint(() => startTransition(() => setPainted(id)));
  }, [isCurrent, value, id]);
  return isCurrent ? value : last.current;
}

/** True once the first render has been painted. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return isPainted;
}

/** Runs after the next frame; returns what cancels it. */
function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    // before the paint here; a new task comes after it
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
