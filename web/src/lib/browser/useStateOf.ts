import { useCallback, useState, type SetStateAction } from "react";

/**
 * `useState` of a component that shows one thing after another without being mounted again, such as the open conversation:
 * each begins with `initial`, and a callback of the one before, which comes late, sets nothing.
 */
export function useStateOf<T>(
  id: string | number,
  initial: T | (() => T),
): readonly [T, (next: SetStateAction<T>) => void] {
  const begin = () => ({ id, value: resolve(initial) });
  const [known, setKnown] = useState(begin);
  let kept = known;
  if (kept.id !== id) {
    // during the render: what belongs to the one before is not drawn once more
    kept = begin();
    setKnown(kept);
  }
  const set = useCallback(
    (next: SetStateAction<T>) =>
      setKnown((now) =>
        now.id === id ? { id, value: typeof next === "function" ? (next as (value: T) => T)(now.value) : next } : now,
      ),
    [id],
  );
  return [kept.value, set];
}

function resolve<T>(initial: T | (() => T)): T {
  return typeof initial === "function" ? (initial as () => T)() : initial;
}
