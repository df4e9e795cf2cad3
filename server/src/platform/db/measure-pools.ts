import type { Metrics } from "../metrics/index.ts";
import type { Db } from "./open-database.ts";
import type { PoolUse } from "./pools/index.ts";

/** Gauges of the connection pools, read at each scrape. */
export function measurePools({ onScrape }: Metrics, db: Db): void {
  onScrape({ name: "prosa_db_connections", help: "Connections to the database", labels: ["pool", "state"] }, () =>
    db
      .pools()
      .flatMap(({ pool, idle, busy, waiting }) =>
        Object.entries({ idle, busy, waiting }).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
  );
  onScrape({ name: "prosa_db_connections_max", help: "Most connections that the pool opens", labels: ["pool"] }, () =>
    db.pools().map(({ pool, max }) => ({ labels: { pool }, value: max })),
  );
  const counter = (name: string, help: string, of: (use: PoolUse) => number) =>
    onScrape({ name, help, labels: ["pool"], kind: "counter" }, () =>
      db.pools().map((use) => ({ labels: { pool: use.pool }, value: of(use) })),
    );
  counter("prosa_db_waits_total", "Transactions that found every connection taken", ({ waits }) => waits);
  counter("prosa_db_wait_seconds_total", "How long they waited", ({ waitedSeconds }) => waitedSeconds);
}
