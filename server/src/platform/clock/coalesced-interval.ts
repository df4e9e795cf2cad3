/**
 * As setInterval, but at multiples of `ms` since the process began: timers of whole seconds all wake a sleeping process at the same
 * moments, together, and not each at its own (decision 0188). Does not keep the process alive. Returns what ends it.
 */
export function setCoalescedInterval(work: () => void, ms: number): () => void {
  let run = Math.floor(performance.now() / ms);
  // Each time anew: an interval that goes on by itself is a little later each time, each of another length by more.
  let timer = next();
  function next(): NodeJS.Timeout {
    const now = performance.now();
    // A timer may be up to a millisecond early, and is no second run of its moment.
    run = Math.max(run + 1, Math.floor(now / ms) + 1);
    return setInterval(
      () => {
        clearInterval(timer);
        timer = next();
        work();
      },
      Math.ceil(run * ms - now),
    ).unref();
  }
  return () => clearInterval(timer);
}
