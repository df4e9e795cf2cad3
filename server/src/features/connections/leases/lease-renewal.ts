import type { Db } from "#server/platform/db/index.ts";
import { LEASE_SECONDS, renewLeases, renewLockedLease } from "./leases.queries.ts";

/** Without a renewal for this long a lease is about to expire, and another process may take the line over. */
const OVERDUE_MS = (LEASE_SECONDS - 2) * 1_000;

/** The lease of a line that this process runs. */
export interface HeldLease {
  /** When it was acquired or renewed last. */
  renewedAt: number;
  /** A transaction has locked it, and its renewal waits. */
  isRenewalWaiting: boolean;
}

export interface LeaseRenewal {
  renew(): Promise<void>;
  /** Gives up the leases that could not be renewed in time. */
  dropOverdue(): void;
}

/**
 * Renews the leases of a process. A commit locks the lease of its line for milliseconds, and a deletion or a hanging transaction for
 * longer: each line waits for its own lock alone.
 */
export function createLeaseRenewal(options: {
  readonly db: Db;
  readonly owner: string;
  readonly held: ReadonlyMap<number, HeldLease>;
  readonly onLost: (connectionId: number) => void;
}): LeaseRenewal {
  const { db, owner, held, onLost } = options;

  async function renewLocked(id: number, lease: HeldLease): Promise<void> {
    const before = performance.now();
    lease.isRenewalWaiting = true;
    try {
      if (await renewLockedLease(db, owner, id)) {
        lease.renewedAt = before;
      } else if (held.get(id) === lease) {
        onLost(id);
      }
    } finally {
      lease.isRenewalWaiting = false;
    }
  }

  return {
    async renew() {
      const before = performance.now();
      const leases = [...held];
      if (leases.length === 0) {
        return;
      }
      const ids = leases.map(([id]) => id);
      const renewed = await renewLeases(db, owner, ids);
      leases.filter(([id]) => renewed.has(id)).forEach(([, lease]) => (lease.renewedAt = before));
      for (const [id, lease] of leases) {
        if (!renewed.has(id) && !lease.isRenewalWaiting && held.get(id) === lease) {
          // One after another: what waits for a lock has a connection of the pool meanwhile.
          await renewLocked(id, lease);
        }
      }
    },
    dropOverdue() {
      const now = performance.now();
      [...held].filter(([, { renewedAt }]) => now - renewedAt > OVERDUE_MS).forEach(([id]) => onLost(id));
    },
  };
}
