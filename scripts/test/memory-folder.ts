import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAME = "prosa-test-";
const DAY = 24 * 60 * 60 * 1000;
const GIB = 2 ** 30;

export interface MemoryFolder {
  readonly path: string;
  remove(): void;
}

/**
 * A folder in memory for the temporary files of a run, its databases included, open to other users as /tmp is: an embedded database that
 * root starts runs as somebody else. Undefined where the system has no such place, or less than `leastRoom` there or `leastMemory` (bytes),
 * or lets no program run from there. A run took 0.9 GB at most; the rest is for PostgreSQL, browsers and Node. Why: decision 0269.
 */
export function makeMemoryFolder({ parent = "/dev/shm", leastRoom = 4 * GIB, leastMemory = 8 * GIB } = {}):
  MemoryFolder | undefined {
  if (process.availableMemory() < leastMemory || roomIn(parent) < leastRoom) {
    return undefined;
  }
  try {
    removeForgotten(parent);
    const path = mkdtempSync(join(parent, NAME));
    chmodSync(path, 0o1777);
    if (runsPrograms(path)) {
      return { path, remove: () => remove(path) };
    }
    remove(path);
  } catch {
    // Nothing may be written there.
  }
  return undefined;
}

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Some systems mount what is in memory so that nothing can be run from it, and tests write programs. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** This user's, of runs that were killed: nothing but memory holds them, and no run takes a day. */
function removeForgotten(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(NAME))) {
    const path = join(parent, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() && found.uid === process.getuid?.() && found.mtimeMs < Date.now() - DAY) {
      remove(path);
    }
  }
}

/** What cannot be removed stays for a later run: it is no fault of this one's tests. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    console.error(`${path} could not be removed: ${String(error)}`);
  }
}
