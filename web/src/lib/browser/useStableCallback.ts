import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that stays the same between renders and calls the newest one: memoised rows need not render again. */
export function useStableCallback<A extends readonly unknown[], R>(run: (...values: A) => R): (...values: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...values: A) => latest.current(...values), []);
}
