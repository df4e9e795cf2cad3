import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Role } from "#server/platform/config/index.ts";
import type { PeerProcess, ProcessRegistry } from "#server/platform/processes/index.ts";

/** Roles that write files or hand them out. */
const rolesWithFiles = ["http", "worker", "lines"] as const;
/** A process that died elsewhere counts as living for ten seconds. */
const WAITS_MS = 12_000;

/**
 * Throws where a living process on this database keeps its files in another place: each would answer 404 for what the
 * other one took in. Of two that start together the one whose name comes first stays.
 */
export async function insistOnOnePlace(
  { name, refresh, peers }: ProcessRegistry,
  roles: ReadonlySet<Role>,
  place: string,
  waitsMs = WAITS_MS,
): Promise<void> {
  if (!rolesWithFiles.some((role) => roles.has(role))) {
    return;
  }
  const giveUpAt = performance.now() + waitsMs;
  for (;;) {
    const other = otherPlace(
      rolesWithFiles.flatMap((role) => peers(role, ["starting", "ready"])),
      name,
      place,
    );
    if (other === undefined) {
      return;
    }
    if (performance.now() > giveUpAt) {
      throw new ConfigError(
        `S3_BUCKET: a process on ${other.host} that uses the same database keeps its files in another place ` +
          `(${other.fileStorage}; here ${place}), so neither would find those of the other. ` +
          "Set the same bucket for all processes, or let them share one DATA_DIR/files, and stop those that have another.",
      );
    }
    await sleep(500);
    await refresh();
  }
}

/** Exported for its test. */
export function otherPlace(neighbours: readonly PeerProcess[], name: string, place: string): PeerProcess | undefined {
  return neighbours.find(
    ({ fileStorage, state, ...other }) =>
      fileStorage !== null && fileStorage !== place && (state === "ready" || other.name < name),
  );
}
