/** Runs once the browser has nothing better to do: what will be wanted soon, but not for the first screen. */
export function whenIdle(run: () => void): void {
  const idle =
    "requestIdleCallback" in window ? window.requestIdleCallback : (later: () => void) => setTimeout(later, 2_000);
  idle(run);
}
