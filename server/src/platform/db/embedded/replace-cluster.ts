import { access, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

/** A whole data folder that waits to become `postgres`. */
const READY = "postgres.ready";

/** The major version of PostgreSQL that a data folder was made by. */
export async function majorOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, "PG_VERSION"), "utf8"), 10);
}

/**
 * Puts a data folder of a stopped server in the place of the one in `dataDir`, which is kept. kill -9 between any two steps leaves the
 * old one in its place, or a whole new one that the next start puts there. Returns where the old one is.
 */
export async function replaceCluster(dataDir: string, next: string, now: Date): Promise<string> {
  const [current, ready] = [path.join(dataDir, "postgres"), path.join(dataDir, READY)];
  const preferred = `${current}-${await majorOf(current)}`;
  const kept = (await isThere(preferred)) ? `${preferred}-${now.getTime()}` : preferred;
  await rm(ready, { recursive: true, force: true });
  await rename(next, ready);
  await rename(current, kept);
  await finishReplacement(dataDir);
  return kept;
}

/** Ends a replacement that was interrupted after the old folder had left. */
export async function finishReplacement(dataDir: string): Promise<void> {
  const [current, ready] = [path.join(dataDir, "postgres"), path.join(dataDir, READY)];
  if (!(await isThere(current)) && (await isThere(ready))) {
    // Another process may do the same at this moment.
    await rename(ready, current).catch(async (error: unknown) => {
      if (!(await isThere(current))) {
        throw error;
      }
    });
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
