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
  /** Messages that lines received, sent, and could not send. */
  readonly messages: Counter<"direction">;
  /** Adds what is asked for at each scrape. What cannot be read then is left out of it. */
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
  if (options.withProcess) {
    collectDefaultMetrics({ register: registry });
  }

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
            // The database is away: what the process knows by itself is still told.
          }
        },
      });
    },
    stop: () => registry.clear(),
  };
}
