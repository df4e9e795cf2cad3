import { mkdir, mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";

export interface PassingFolder {
  readonly folder: string;
  /** Deletes it with everything in it. */
  dispose(): Promise<void>;
}

/** Of this process, and in use. */
const own = new Set<string>();
const dayMs = 86_400_000;

/**
 * A folder in DATA_DIR where a backup is made that only goes to the bucket, or comes from it. Each has one of its own, as the nightly
 * backup and a command may run at the same time. What killed processes left is deleted.
 */
export async function openPassingFolder({ dataDir }: Pick<Config, "dataDir">): Promise<PassingFolder> {
  const all = join(dataDir, "backups-passing");
  const folder = await makeFolder(all);
  own.add(basename(folder));
  for (const name of await readdir(all)) {
    const path = join(all, name);
    if (await isLeft(name, path)) {
      await rm(path, { recursive: true, force: true });
    }
  }
  return {
    folder,
    async dispose() {
      await rm(folder, { recursive: true, force: true });
      own.delete(basename(folder));
      // Where others are in it, it stays.
      await rmdir(all).catch(() => undefined);
    },
  };
}

async function makeFolder(all: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(all, { recursive: true, mode: 0o700 });
    try {
      return await mkdtemp(join(all, `${hostname()}.${process.pid}.`));
    } catch (error) {
      // Another one has disposed of the last folder meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 5) {
        throw error;
      }
    }
  }
}

/** Of a process that is gone. Those of another machine are known by their age alone. */
async function isLeft(name: string, path: string): Promise<boolean> {
  if (own.has(name)) {
    return false;
  }
  // Names of machines have points as well.
  const [, machine, pid] = /^(.*)\.(\d+)\.[^.]*$/u.exec(name) ?? [];
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
