import { allRoles } from "#server/platform/config/index.ts";
import type { Services } from "#server/platform/services.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Observation } from "./finding.ts";

/** As the alert rules and the jobs that give way have it, in ms. */
const LATE_MS = 1_000;

/** What only a running process knows: its peers, how late people see what happens, refused client versions, a full storage. */
export async function lookAtServices(services: Services): Promise<readonly Observation[]> {
  const findings = await Promise.all([
    look("sProcesses", () => lookAtProcesses(services)),
    look("sTail", () => lookAtTail(services)),
    look("sVersion", () => lookAtVersion(services)),
    look("sRoom", async () => {
      const { database, files } = await services.freeSpace.check();
      return database && files ? good("sRoom", "room") : bad("sRoom", "roomBad", "roomBadDo");
    }),
  ]);
  return findings.flat();
}

async function lookAtProcesses({ processes, config }: Services): Promise<Observation> {
  const counts = allRoles.map((role) => ({
    role,
    count: processes.peers(role).length + (config.roles.has(role) ? 1 : 0),
  }));
  const missing = counts.filter(({ count }) => count === 0);
  return missing.length > 0
    ? bad("sProcesses", "rolesMissing", "rolesMissingDo", { list: missing.map(({ role }) => role).join(", ") })
    : good("sProcesses", "list", { list: counts.map(({ role, count }) => `${count} ${role}`).join(", ") });
}

async function lookAtTail({ metrics }: Services): Promise<Observation> {
  const ms = Math.round(await readMetric(metrics.registry, "prosa_tail_behind_ms"));
  return ms < LATE_MS ? good("sTail", "tail", { ms }) : bad("sTail", "tailLate", "tailLateDo", { ms });
}

async function lookAtVersion({ metrics }: Services): Promise<Observation> {
  const refused = await readMetric(metrics.registry, "prosa_refused_versions");
  return refused === 0 ? good("sVersion", "version") : doubtful("sVersion", "versionBad", "versionBadDo");
}

async function readMetric(registry: Services["metrics"]["registry"], name: string): Promise<number> {
  const read = await registry.getSingleMetric(name)?.get();
  return read?.values[0]?.value ?? 0;
}
