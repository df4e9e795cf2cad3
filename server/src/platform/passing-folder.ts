import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

export interface PassingFolder {
  readonly folder: string;
  /** Deletes it with everything in it. */
  dispose(): Promise<void>;
}

/** Of this process, and in use. */
const own = new Set<string>();
const dayMs = 86_400_000;

/**
 * A folder in `all` for files that pass through, whose name begins with `prefix`. Each caller has one of its own, as several processes
 * may work at the same time. What killed processes left under the prefix is deleted.
 */
export async function openPassingFolder(all: string, prefix = ""): Promise<PassingFolder> {
  const name = `${prefix}${hostname()}.${process.pid}.${randomUUID()}`;
  const folder = join(all, name);
  // Before it is there: one that is opened at this moment must not take it for left.
  own.add(name);
  const dispose = () => rm(folder, { recursive: true, force: true }).finally(() => own.delete(name));
  try {
    await makeFolder(all, folder);
    await deleteLeftFolders(all, prefix);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { folder, dispose };
}

/** Deletes what killed processes left in `all` under the prefix. */
export async function deleteLeftFolders(all: string, prefix = ""): Promise<void> {
  for (const name of await readdir(all)) {
    const path = join(all, name);
    if (name.startsWith(prefix) && (await isLeft(name, prefix, path))) {
      // One of another user, or that somebody else deletes at this moment, is nothing to fail for.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function makeFolder(all: string, folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(all, { recursive: true, mode: 0o700 });
    try {
      await mkdir(folder, { mode: 0o700 });
      return;
    } catch (error) {
      // Another one has disposed of `all` meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 5) {
        throw error;
      }
    }
  }
}

/** Of a process that is gone. Those of another machine are known by their age alone. */
async function isLeft(name: string, prefix: string, path: string): Promise<boolean> {
  if (own.has(name)) {
    return false;
  }
  // Names of machines have points as well.
  const [, machine, pid] = /^(.*)\.(\d+)\.[^.]*$/u.exec(name.slice(prefix.length)) ?? [];
  if (machine === hostname()) {
    return Number(pid) === process.pid || !isAlive(Number(pid));
  }
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > dayMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and is another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
