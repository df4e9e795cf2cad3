import type pg from "pg";

/** How busy a pool is. */
export interface PoolUse {
  readonly pool: "requests" | "machinery";
  readonly idle: number;
  readonly busy: number;
  /** Callers that wait for a connection right now. */
  readonly waiting: number;
  /** Callers that found none free, since the start, and how long they waitsByPool together. */
  readonly waits: number;
  readonly waitedSeconds: number;
}

const waitsByPool = new WeakMap<pg.Pool, { waits: number; ms: number }>();

/** A connection of the pool; counts the wait where all are taken. */
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
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
    waits,
    waitedSeconds: ms / 1_000,
  };
}
