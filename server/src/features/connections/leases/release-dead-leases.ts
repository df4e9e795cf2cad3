import type { Db } from "#server/platform/db/index.ts";
import { isKnownDead } from "#server/platform/processes/index.ts";
import { releaseLeases } from "./leases.queries.ts";
import type { DesiredLine } from "./leases.queries.ts";

/**
 * A dead process of this machine holds leases that need not expire: after a crash lines are back at once. Returns the lines as
 * they are then.
 */
export async function releaseLeasesOfDeadProcesses(
  db: Db,
  lines: readonly DesiredLine[],
): Promise<readonly DesiredLine[]> {
  const leasedByOwner = Map.groupBy(
    lines.filter(({ isLeased }) => isLeased),
    (desired) => desired.owner,
  );
  const freed = new Set<number>();
  for (const [leaseOwner, leased] of leasedByOwner) {
    if (leaseOwner !== null && isKnownDead(leaseOwner)) {
      const ids = leased.map(({ id }) => id);
      await releaseLeases(db, leaseOwner, ids);
      ids.forEach((id) => freed.add(id));
    }
  }
  return lines.map((desired) => (freed.has(desired.id) ? { ...desired, isLeased: false, owner: null } : desired));
}
