import { lazy, type ComponentType } from "react";

/** A component whose code is fetched when it is first rendered, and without which the rest stands: where that fails, nothing is shown. */
export function lazyOrNothing(load: () => Promise<ComponentType>) {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  );
}
