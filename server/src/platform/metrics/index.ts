export { createMetrics } from "./metrics.ts";
export type { Metrics } from "./metrics.ts";
export type { Reading, Scraped } from "./metrics.ts";
