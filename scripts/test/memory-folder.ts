import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAME = "prosa-test-";
const DAY = 24 * 60 * 60 * 1000;
const GIB = 2 ** 30;

/** A run took 0.9 GB at most (decision 0269); what PostgreSQL, browsers and Node need stays free beside it. */
const LEAST_ROOM = 4 * GIB;
const LEAST_MEMORY = 8 * GIB;

export interface MemoryFolder {
  readonly path: string;
  remove(): void;
}

/**
 * A folder in memory for the temporary files of a run, its databases included, open to other users as /tmp is: an embedded database that
 * root starts runs as somebody else. Undefined where the machine has no such place, too little memory, or lets no program run from there.
 * Why: decision 0269.
 */
export function makeMemoryFolder(parent = "/dev/shm"): MemoryFolder | undefined {
  if (process.availableMemory() < LEAST_MEMORY || !hasRoom(parent)) {
    return undefined;
  }
  removeForgotten(parent);
  const path = mkdtempSync(join(parent, NAME));
  const folder = { path, remove: () => rmSync(path, { recursive: true, force: true }) };
  chmodSync(path, 0o1777);
  if (!runsPrograms(path)) {
    folder.remove();
    return undefined;
  }
  return folder;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LEAST_ROOM;
  } catch {
    return false;
  }
}

/** Some systems mount what is in memory so that nothing can be run from it, and tests write programs. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  } finally {
    rmSync(program, { force: true });
  }
}

/** Of runs that were killed: nothing but memory holds them, and no run takes a day. */
function removeForgotten(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(NAME))) {
    const path = join(parent, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - DAY) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
