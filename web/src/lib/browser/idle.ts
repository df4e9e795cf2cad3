/** Runs when the browser is idle: for code that is needed soon, but not for the first screen. */
export function whenIdle(run: () => void): void {
  const idle =
    "requestIdleCallback" in window ? window.requestIdleCallback : (later: () => void) => setTimeout(later, 2_000);
  idle(run);
}
