/**
 * As setInterval, but at multiples of `ms` since the process began: timers of whole seconds all wake a sleeping process at the same
 * moments, together, and not each at its own (decision 0188). Does not keep the process alive. Returns what ends it.
 */
export function setCoalescedInterval(work: () => void, ms: number): () => void {
  // Each time anew: an interval that goes on by itself is a little later each time, each of another length by more.
  let timer = next();
  function next(): NodeJS.Timeout {
    return setInterval(() => {
      clearInterval(timer);
      timer = next();
      work();
    }, untilNext(ms)).unref();
  }
  return () => clearInterval(timer);
}

function untilNext(ms: number): number {
  const now = Math.floor(performance.now());
  return ms - (now % ms);
}
