import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** What the process counts. One set per process: several apps in one test process do not share it. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds by method, route pattern and status class. */
  readonly httpSeconds: Histogram<"method" | "route" | "status">;
  /** SQL statements that one request sent. */
  readonly httpStatements: Histogram<"method" | "route">;
  /** Milliseconds between the commit of the newest event handled and its hand-over to the sockets. */
  readonly tailLag: Gauge;
  readonly sockets: Gauge;
  /** Packets written to sockets, by wire name without the company. */
  readonly emitted: Counter<"event">;
  /** What must not happen on a line, by kind; each is in the line's own log as well. */
  readonly lineAlarms: Counter<"alarm">;
  /** Client versions of this process that WhatsApp refuses: its lines wait. */
  readonly refusedVersions: Gauge;
  /** Jobs that wait, run or are dead; asked of the database at each scrape. */
  onScrapeJobs(count: () => Promise<Readonly<Record<string, number>>>): void;
  stop(): void;
}

export function createMetrics(options: { readonly withProcess: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.withProcess) {
    collectDefaultMetrics({ register: registry });
  }

  let countJobs: (() => Promise<Readonly<Record<string, number>>>) | undefined;
  new Gauge({
    name: "prosa_jobs",
    help: "Jobs by state",
    labelNames: ["state"],
    registers,
    async collect() {
      for (const [state, count] of Object.entries((await countJobs?.()) ?? {})) {
        this.set({ state }, count);
      }
    },
  });

  return {
    registry,
    httpSeconds: new Histogram({
      name: "prosa_http_seconds",
      help: "Duration of requests by route",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    httpStatements: new Histogram({
      name: "prosa_http_statements",
      help: "SQL statements per request",
      labelNames: ["method", "route"],
      buckets: [0, 1, 2, 4, 8, 16, 32],
      registers,
    }),
    tailLag: new Gauge({
      name: "prosa_tail_lag_ms",
      help: "Age of the newest event when handed to sockets",
      registers,
    }),
    sockets: new Gauge({ name: "prosa_sockets", help: "Connected sockets", registers }),
    emitted: new Counter({ name: "prosa_emitted_total", help: "Packets to sockets", labelNames: ["event"], registers }),
    lineAlarms: new Counter({
      name: "prosa_line_alarms_total",
      help: "Alarms of lines: order, stuck, poison, commit",
      labelNames: ["alarm"],
      registers,
    }),
    refusedVersions: new Gauge({
      name: "prosa_refused_versions",
      help: "Client versions that WhatsApp refuses, of those that this process announces",
      registers,
    }),
    onScrapeJobs: (count) => (countJobs = count),
    stop: () => registry.clear(),
  };
}
