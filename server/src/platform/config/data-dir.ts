import { chmod, lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { makeFolder } from "./folders.ts";

const OWNER_ONLY = 0o700;
/** Others may traverse but not list: root runs the embedded database as another user. */
const TRAVERSABLE = 0o711;
const STICKY = 0o1000;
/** Folders closed to others even when DATA_DIR is traversable. */
const OWN_FOLDERS = ["files", "outbox"];
/** chmod fails on volumes of another owner (Kubernetes, OpenShift) and on file systems without modes. */
const notOurs = new Set(["EPERM", "EACCES", "EROFS", "ENOTSUP"]);

/**
 * Creates DATA_DIR with access for its owner only, and sets the umask: it holds secrets, customers' files and mails. Throws ConfigError where
 * the folder cannot be made.
 */
export async function prepareDataDir({ dataDir, databaseUrl }: Config, log: Pick<Logger, "warn">): Promise<void> {
  const isTraversable = databaseUrl === undefined && process.getuid?.() === 0;
  const widest = isTraversable ? TRAVERSABLE : OWNER_ONLY;
  // Parent folders get the default mode.
  const made = await makeFolder("DATA_DIR", dataDir);
  process.umask(0o077);
  const { mode } = await stat(dataDir);
  // A folder shared by all users, such as /tmp, stays as it is; so does one with a stricter mode.
  if (made !== undefined || ((mode & STICKY) === 0 && (mode & 0o777 & ~widest) !== 0)) {
    await close(dataDir, made === undefined ? mode & widest : widest, log);
  }
  if (isTraversable) {
    for (const name of OWN_FOLDERS) {
      await closeOwn(join(dataDir, name), log);
    }
  }
}

/** Closes a folder created by an older release. Symbolic links and folders of other users are left alone. */
async function closeOwn(folder: string, log: Pick<Logger, "warn">): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777 & ~OWNER_ONLY) !== 0) {
    await close(folder, found.mode & OWNER_ONLY, log);
  }
}

async function close(folder: string, mode: number, log: Pick<Logger, "warn">): Promise<void> {
  await chmod(folder, mode).catch((error: NodeJS.ErrnoException) => {
    if (!notOurs.has(error.code ?? "")) {
      throw error;
    }
    log.warn({ err: error }, "DATA_DIR is accessible to other users and its mode cannot be changed");
  });
}
