import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * What a process calls itself in leases: where it runs, its pid, and something that no later process has. Whoever
 * runs at the same place can tell that it is dead without waiting for its leases to end.
 */
export function processName(): string {
  return `${place}:${process.pid}:${randomBytes(4).toString("hex")}`;
}

/** True only for certain: it ran at this very place, and nothing runs there under its pid any more. */
export function isKnownDead(name: string): boolean {
  const [where, pid] = name.split(":");
  return isPlaceCertain && where === place && !isRunning(Number(pid));
}

/**
 * One boot of one kernel, and one namespace of pids in it: two containers of the same host name are two places. Other
 * systems than Linux do not tell; there leases are waited for.
 */
function placeOfLinux(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    const pids = readlinkSync("/proc/self/ns/pid");
    return createHash("sha256").update(`${boot} ${pids}`).digest("hex").slice(0, 12);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is a process too.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const certainPlace = placeOfLinux();
const isPlaceCertain = certainPlace !== undefined;
const place = certainPlace ?? hostname().replaceAll(":", "-");
