import { useCallback, useRef, useState, type SetStateAction } from "react";

/** One stretch of time in which the component shows one thing. */
interface Stretch<T> {
  readonly id: string | number;
  readonly number: number;
  readonly initial: T;
}

/**
 * `useState` of a component that shows one thing after another without being mounted again, such as the open conversation:
 * each begins with `initial`, and a callback of the one before, which comes late, sets nothing.
 */
export function useStateOf<T>(
  id: string | number,
  initial: T | (() => T),
): readonly [T, (next: SetStateAction<T>) => void] {
  // Not set as state: that would render the component twice for each thing.
  const stretch = useRef<Stretch<T>>(undefined);
  if (stretch.current?.id !== id) {
    stretch.current = { id, number: (stretch.current?.number ?? 0) + 1, initial: resolve(initial) };
  }
  const { number, initial: first } = stretch.current;
  const [known, setKnown] = useState({ number, value: first });
  const set = useCallback(
    (next: SetStateAction<T>) =>
      setKnown((now) => {
        const value = now.number === number ? now.value : first;
        const changed = typeof next === "function" ? (next as (value: T) => T)(value) : next;
        return now.number > number || Object.is(changed, value) ? now : { number, value: changed };
      }),
    [number, first],
  );
  return [known.number === number ? known.value : first, set];
}

function resolve<T>(initial: T | (() => T)): T {
  return typeof initial === "function" ? (initial as () => T)() : initial;
}
