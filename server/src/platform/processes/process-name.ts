import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * The name of a process in leases: id of its host, pid, and a random suffix. Another process of the same host sees that
 * it is dead without waiting for its leases to expire.
 */
export function processName(): string {
  return `${hostId}:${process.pid}:${randomBytes(4).toString("hex")}`;
}

/** True only when it is certain: the process ran on this host, and no process has its pid any more. */
export function isKnownDead(name: string): boolean {
  const [host, pid] = name.split(":");
  return isHostIdUnique && host === hostId && !isRunning(Number(pid));
}

/**
 * Boot id of the kernel and pid namespace: two containers with the same host name have two ids. Undefined on other
 * systems than Linux; leases expire there by time.
 */
function readLinuxHostId(): string | undefined {
  try {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    const pidNamespace = readlinkSync("/proc/self/ns/pid");
    return createHash("sha256").update(`${bootId} ${pidNamespace}`).digest("hex").slice(0, 12);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs as another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const linuxHostId = readLinuxHostId();
const isHostIdUnique = linuxHostId !== undefined;
const hostId = linuxHostId ?? hostname().replaceAll(":", "-");
