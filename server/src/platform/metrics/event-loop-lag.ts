import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";

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
 * `nodejs_eventloop_lag_*_seconds`: how long the turns of the event loop since the last scrape kept others waiting; 0 if there was none. A turn
 * is measured when there is one: the library's metric of these names wakes a sleeping process to measure (decision 0188).
 */
export function observeEventLoopLag(registry: Registry): () => void {
  const histogram = monitorEventLoopDelay({ samplePerIteration: true });
  histogram.enable();
  // The turn that is under way has no beginning.
  setImmediate(() => histogram.reset()).unref();

  // The first gauge reads for all, since the histogram starts anew after it.
  const gauges = readings.map(
    ([name]) =>
      new Gauge({
        name: `nodejs_eventloop_lag_${name}_seconds`,
        help: "How long turns of the event loop took since the last scrape",
        registers: [registry],
        ...(name === readings[0]![0] && { collect: readAll }),
      }),
  );
  function readAll(): void {
    readings.forEach(([, read], at) => gauges[at]!.set(histogram.count === 0 ? 0 : read(histogram) / NANOSECONDS));
    histogram.reset();
  }

  return () => histogram.disable();
}
