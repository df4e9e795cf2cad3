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
    return afterPaint(() => setPainted(id));
  }, [isCurrent, value, id]);
  return isCurrent ? value : last.current;
}

/**
 * Runs after each render, when the frame with it is about to be painted: what reads sizes there computes the layout once, and
 * not between the changes of several effects.
 */
export function useBeforePaint(run: () => void): void {
  useEffect(() => {
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  });
}

/** True once the first render has been painted. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => setPainted(true)), []);
  return isPainted;
}

/** A tab that nobody sees draws no frames: it waits so many ms for one. */
const UNSEEN_MS = 200;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Runs after the next frame, with all that waits for it in one render; returns what cancels it. */
export function afterPaint(run: () => void): () => void {
  if (waiting.size === 0) {
    // before the paint here; a new task comes after it
    requestAnimationFrame(() => setTimeout(flush));
    clearTimeout(timer);
    timer = setTimeout(flush, UNSEEN_MS);
  }
  waiting.add(run);
  return () => void waiting.delete(run);
}

function flush(): void {
  clearTimeout(timer);
  const runs = [...waiting];
  waiting.clear();
  startTransition(() => runs.forEach((run) => run()));
}
