import type pg from "pg";
import type { Metrics } from "../metrics/index.ts";
import type { Db } from "./open-database.ts";

/** How busy a pool is. */
export interface PoolUse {
  readonly pool: "requests" | "machinery";
  readonly idle: number;
  readonly busy: number;
  /** Callers that wait for a connection right now. */
  readonly waiting: number;
  /** Callers that found none free, since the start, and how long they waited together. */
  readonly waits: number;
  readonly waitedSeconds: number;
}

const waited = new WeakMap<pg.Pool, { waits: number; ms: number }>();

/** A connection of the pool; counts the wait where all are taken. */
export async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.idleCount > 0 || pool.totalCount < pool.options.max) {
    return pool.connect();
  }
  const began = performance.now();
  try {
    return await pool.connect();
  } finally {
    const { waits, ms } = waited.get(pool) ?? { waits: 0, ms: 0 };
    waited.set(pool, { waits: waits + 1, ms: ms + performance.now() - began });
  }
}

export function useOf(name: PoolUse["pool"], pool: pg.Pool): PoolUse {
  const { waits, ms } = waited.get(pool) ?? { waits: 0, ms: 0 };
  return {
    pool: name,
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
    waits,
    waitedSeconds: ms / 1_000,
  };
}

export function measurePools({ onScrape }: Metrics, db: Db): void {
  onScrape({ name: "prosa_db_connections", help: "Connections to the database", labels: ["pool", "state"] }, () =>
    db
      .pools()
      .flatMap(({ pool, idle, busy, waiting }) =>
        Object.entries({ idle, busy, waiting }).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
  );
  const counter = (name: string, help: string, of: (use: PoolUse) => number) =>
    onScrape({ name, help, labels: ["pool"], kind: "counter" }, () =>
      db.pools().map((use) => ({ labels: { pool: use.pool }, value: of(use) })),
    );
  counter("prosa_db_waits_total", "Transactions that found every connection taken", ({ waits }) => waits);
  counter("prosa_db_wait_seconds_total", "How long they waited", ({ waitedSeconds }) => waitedSeconds);
}
