import type pg from "pg";

/** Usage of one connection pool. */
export interface PoolUse {
  readonly pool: "requests" | "machinery";
  readonly idle: number;
  readonly busy: number;
  /** Most connections that it opens. */
  readonly max: number;
  /** Callers waiting for a connection. */
  readonly waiting: number;
  /** Callers that found no free connection since the start, and the sum of their waiting times. */
  readonly waits: number;
  readonly waitedSeconds: number;
}

const waitsByPool = new WeakMap<pg.Pool, { waits: number; ms: number }>();

/** Takes a connection from the pool and counts the wait when all are in use. */
export async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.idleCount > 0 || pool.totalCount < pool.options.max) {
    return pool.connect();
  }
  const began = performance.now();
  try {
    return await pool.connect();
  } finally {
    const { waits, ms } = waitsByPool.get(pool) ?? { waits: 0, ms: 0 };
    waitsByPool.set(pool, { waits: waits + 1, ms: ms + performance.now() - began });
  }
}

export function readPoolUse(name: PoolUse["pool"], pool: pg.Pool): PoolUse {
  const { waits, ms } = waitsByPool.get(pool) ?? { waits: 0, ms: 0 };
  return {
    pool: name,
    max: pool.options.max,
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
    waits,
    waitedSeconds: ms / 1_000,
  };
}
