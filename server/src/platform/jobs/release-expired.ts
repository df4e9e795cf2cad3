import type { Db } from "../db/index.ts";
import { isKnownDead } from "../processes/index.ts";
import { expireLeases, findRunners, lockExpired } from "./job-store.ts";
import { currentTaskName } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";
import { retryAfterCrash } from "./retry-policy.ts";

/** Releases the jobs of dead processes. A lease that has ended counts as one of these, so a runner renews its own first. */
export async function releaseExpired(db: Db, renamed: readonly RenamedTask[]): Promise<void> {
  await expireLeasesOfDeadRunners(db);
  await db.systemTx(async (tx) => {
    for (const expired of await lockExpired(tx.raw)) {
      const job = { ...expired, task: currentTaskName(renamed, expired.task) };
      await retryAfterCrash(tx, job);
    }
  });
}

/** Expires the leases of processes that died on this host at once, so that a restart after a crash does not wait for them. */
async function expireLeasesOfDeadRunners(db: Db): Promise<void> {
  const dead = (await findRunners(db.systemRaw)).filter(isKnownDead);
  if (dead.length > 0) {
    await expireLeases(db.systemRaw, dead);
  }
}
