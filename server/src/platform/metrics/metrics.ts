import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { createBoundedLabel } from "./bounded-label.ts";
import { observeEventLoopLag } from "./event-loop-lag.ts";

/** The library's own metrics of the event loop cannot be left out: so long a sample never wakes the process. */
const NEVER_MS = 86_400_000;

/** Lines of a process that have time series of their own; those of further ones share the label `other`. */
const MAX_LINE_LABELS = 100;

/** Prometheus metrics of the process. Not global, so that several apps in a test process do not share them. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds by method, route pattern and status class. */
  readonly httpSeconds: Histogram<"method" | "route" | "status">;
  /** SQL statements that one request sent. */
  readonly httpStatements: Histogram<"method" | "route">;
  /** Milliseconds from the commit of the newest event to its packets. */
  readonly tailLag: Gauge;
  readonly sockets: Gauge;
  /** Packets written to sockets, by wire name without the company. */
  readonly emitted: Counter<"event">;
  /** Alarms of lines by kind; each is in the log of the line as well. */
  readonly lineAlarms: Counter<"alarm">;
  /** Client versions of this process that WhatsApp refuses; lines with them wait. */
  readonly refusedVersions: Gauge;
  /** Messages that lines received, sent, and failed to send. */
  readonly messages: Counter<"direction">;
  /** Records that a line took `seconds` from being given a message until WhatsApp had it. */
  observeSend(connectionId: number, seconds: number): void;
  /** Seconds from when a message was stored until a line was given it: queue, pauses, limits and outages of the line. */
  readonly sendWait: Histogram;
  /** Seconds of jobs by task and outcome: done, later (it asked to be run again), failed. */
  readonly jobSeconds: Histogram<"task" | "outcome">;
  /** Adds a metric that is read at each scrape, and left out when reading fails. */
  onScrape(metric: Scraped, read: () => Promise<readonly Reading[]> | readonly Reading[]): void;
  stop(): void;
}

export interface Scraped {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Default gauge. A counter's readings are totals. */
  readonly kind?: "gauge" | "counter";
}

export interface Reading {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export function createMetrics(options: { readonly withProcess: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const lineLabel = createBoundedLabel(MAX_LINE_LABELS);
  let endLag: (() => void) | undefined;
  if (options.withProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
    const replaced = registry.getMetricsAsArray().filter(({ name }) => name.startsWith("nodejs_eventloop_lag_"));
    replaced.forEach(({ name }) => registry.removeSingleMetric(name));
    endLag = observeEventLoopLag(registry);
  }
  const sendSeconds = new Histogram({
    name: "prosa_send_seconds",
    help: "From handing a message to its line until WhatsApp had it, by line",
    labelNames: ["line"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
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
    messages: new Counter({
      name: "prosa_messages_total",
      help: "Messages of the lines of this process: in, out, failed",
      labelNames: ["direction"],
      registers,
    }),
    observeSend: (connectionId, seconds) => sendSeconds.observe({ line: lineLabel(String(connectionId)) }, seconds),
    sendWait: new Histogram({
      name: "prosa_send_wait_seconds",
      help: "From storing a message until a line was given it",
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "prosa_job_seconds",
      help: "Duration of jobs by task and outcome: done, later, failed",
      labelNames: ["task", "outcome"],
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 300],
      registers,
    }),
    onScrape({ name, help, labels = [], kind = "gauge" }, read) {
      const Kind = kind === "gauge" ? Gauge : Counter;
      new Kind({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          this.reset();
          try {
            (await read()).forEach((reading) => this.inc(reading.labels ?? {}, reading.value));
          } catch {
            // The database is away; metrics of the process itself are still served.
          }
        },
      });
    },
    stop() {
      endLag?.();
      registry.clear();
    },
  };
}
