import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Role } from "#server/platform/config/index.ts";
import type { PeerProcess, ProcessRegistry } from "#server/platform/processes/index.ts";

/** Roles that write or serve files. */
const rolesWithFiles = ["http", "worker", "lines"] as const;
/** A killed process stays in the registry for ten seconds. */
const WAIT_MS = 12_000;

/**
 * Throws ConfigError if a living process on this database stores files in another place: each would answer 404 for
 * the files of the other. Of two that start together the one whose name sorts first continues.
 */
export async function requireSharedStorage(
  { name, refresh, peers }: ProcessRegistry,
  roles: ReadonlySet<Role>,
  fileStorage: string,
  waitsMs = WAIT_MS,
): Promise<void> {
  if (!rolesWithFiles.some((role) => roles.has(role))) {
    return;
  }
  const giveUpAt = performance.now() + waitsMs;
  for (;;) {
    const other = findConflictingProcess(
      rolesWithFiles.flatMap((role) => peers(role, ["starting", "ready"])),
      name,
      fileStorage,
    );
    if (other === undefined) {
      return;
    }
    if (performance.now() > giveUpAt) {
      throw new ConfigError(
        `S3_BUCKET: a process on ${other.host} that uses the same database keeps its files in another place ` +
          `(${other.fileStorage}; here ${fileStorage}), so neither would find those of the other. ` +
          "Set the same bucket for all processes, or let them share one DATA_DIR/files, and stop those that have another.",
      );
    }
    await sleep(500);
    await refresh();
  }
}

/** Exported for its test. */
export function findConflictingProcess(
  peers: readonly PeerProcess[],
  name: string,
  fileStorage: string,
): PeerProcess | undefined {
  return peers.find(
    (peer) =>
      peer.fileStorage !== null && peer.fileStorage !== fileStorage && (peer.state === "ready" || peer.name < name),
  );
}
