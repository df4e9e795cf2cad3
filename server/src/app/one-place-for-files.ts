import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Role } from "#server/platform/config/index.ts";
import type { Neighbour, ProcessRegistry } from "#server/platform/processes/index.ts";

/** Roles that write files or hand them out. */
const rolesWithFiles = ["http", "worker", "lines"] as const;
/** A process that died elsewhere counts as living for ten seconds. */
const WAITS_MS = 12_000;

/**
 * Throws where a living process on this database keeps its files in another place: each would answer 404 for what the
 * other one took in. Of two that start together the one whose name comes first stays.
 */
export async function insistOnOnePlace(
  { name, look, neighbours }: ProcessRegistry,
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
      rolesWithFiles.flatMap((role) => neighbours(role, ["starting", "ready"])),
      name,
      place,
    );
    if (other === undefined) {
      return;
    }
    if (performance.now() > giveUpAt) {
      throw new ConfigError(
        `S3_BUCKET: a process on ${other.host} that uses the same database keeps its files in another place ` +
          `(${other.files}; here ${place}), so neither would find those of the other. ` +
          "Set the same bucket for all processes, or let them share one DATA_DIR/files, and stop those that have another.",
      );
    }
    await sleep(500);
    await look();
  }
}

/** Exported for its test. */
export function otherPlace(neighbours: readonly Neighbour[], name: string, place: string): Neighbour | undefined {
  return neighbours.find(
    ({ files, state, ...other }) => files !== null && files !== place && (state === "ready" || other.name < name),
  );
}
