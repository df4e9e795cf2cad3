import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { setCoalescedInterval } from "../clock/index.ts";

/** Interval of the samples. A sample wakes the process, so only one that works takes any. */
const SAMPLE_MS = 20;
const LOOK_EVERY_MS = 1_000;
/** Share of the last second in which the event loop worked. */
const WORKING = 0.02;

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;

const NANOSECONDS = 1e9;
const readings: readonly (readonly [name: string, read: (histogram: IntervalHistogram) => number])[] = [
  ["mean", ({ mean }) => mean],
  ["p50", (histogram) => histogram.percentile(50)],
  ["p90", (histogram) => histogram.percentile(90)],
  ["p99", (histogram) => histogram.percentile(99)],
  ["max", ({ max }) => max],
];

/**
 * `nodejs_eventloop_lag_*_seconds`: how late the event loop came to its timers since the last scrape. 0 for a process that slept: the
 * metric of the library wakes one up to find that out (decision 0188). Returns what ends it.
 */
export function observeEventLoopLag(registry: Registry): () => void {
  const histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  let before = performance.eventLoopUtilization();
  const endLooks = setCoalescedInterval(() => {
    const now = performance.eventLoopUtilization();
    const isWorking = performance.eventLoopUtilization(now, before).utilization > WORKING;
    before = now;
    if (isWorking) {
      histogram.enable();
    } else {
      histogram.disable();
    }
  }, LOOK_EVERY_MS);

  // The first gauge reads for all, since the histogram starts anew after it.
  const gauges = readings.map(
    ([name]) =>
      new Gauge({
        name: `nodejs_eventloop_lag_${name}_seconds`,
        help: "How late the event loop came to its timers since the last scrape; 0 if it slept",
        registers: [registry],
        ...(name === readings[0]![0] && { collect: readAll }),
      }),
  );
  function readAll(): void {
    readings.forEach(([, read], at) => {
      const lag = histogram.count === 0 ? 0 : read(histogram) / NANOSECONDS - SAMPLE_MS / 1_000;
      gauges[at]!.set(Math.max(0, lag));
    });
    histogram.reset();
  }

  return () => {
    endLooks();
    histogram.disable();
  };
}
