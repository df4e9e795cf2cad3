import { useCallback, useLayoutEffect, useRef, useState } from "react";

/** A function that stays the same between renders and calls the newest one: memoised rows need not render again. */
export function useStableCallback<A extends readonly unknown[], R>(run: (...values: A) => R): (...values: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...values: A) => latest.current(...values), []);
}

/** The same for several functions by name; the names are those of the first render. */
export function useStableCallbacks<T extends Readonly<Record<string, (...values: never[]) => unknown>>>(run: T): T {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  const [stable] = useState(() =>
    Object.fromEntries(
      Object.keys(run).map((name) => [name, (...values: never[]) => latest.current[name]?.(...values)]),
    ),
  );
  return stable as T;
}
