import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db } from "../db/index.ts";
import { classifyInfrastructureError } from "../infrastructure-errors.ts";
import type { Logger } from "../log/index.ts";
import type { Storage } from "./storage.ts";

export interface FreeSpaceStatus {
  readonly database: boolean;
  readonly files: boolean;
}

/** Detects a full disk, bucket or database. What was full is probed again at each check, so it recovers by itself. */
export interface FreeSpace {
  /** Call with any error; marks the database or the file storage as full when the error says so. */
  reportError(error: unknown): void;
  check(): Promise<FreeSpaceStatus>;
  /** Bytes that are free on the disk of DATA_DIR; undefined where its file system does not say. */
  left(): Promise<number | undefined>;
}

export interface FreeSpaceDeps {
  readonly db: Pick<Db, "systemTx">;
  readonly storage: Pick<Storage, "put" | "delete">;
  /** Contains temporary uploads and the embedded database. */
  readonly dataDir: string;
  readonly log: Logger;
}

/** Below this free space each check probes with a file instead of trusting the number; some file systems report wrong ones. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

export function createFreeSpace(parts: FreeSpaceDeps): FreeSpace {
  const { dataDir, log } = parts;
  const isFull = { database: false, files: false };
  let checking: Promise<FreeSpaceStatus> | undefined;

  function mark(part: keyof FreeSpaceStatus, full: boolean, why?: unknown): void {
    if (full && !isFull[part]) {
      log.error({ err: why, part }, "storage full");
    } else if (!full && isFull[part]) {
      log.info({ part }, "storage has free space again");
    }
    isFull[part] = full;
  }

  async function checkNow(): Promise<FreeSpaceStatus> {
    if (isFull.files || (await isDiskLow(dataDir))) {
      mark("files", await isFullFor(() => probeFiles(parts)));
    }
    if (isFull.database) {
      mark("database", await isFullFor(() => probeDatabase(parts.db)));
    }
    return { database: !isFull.database, files: !isFull.files };
  }

  return {
    reportError(error) {
      if (classifyInfrastructureError(error) === "storage full") {
        mark(isOfDatabase(error) ? "database" : "files", true, error);
      }
    },
    async left() {
      const { blocks, bavail, bsize } = await statfs(dataDir);
      return blocks > 0 ? bavail * bsize : undefined;
    },
    check: () => (checking ??= checkNow().finally(() => (checking = undefined))),
  };
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && (("code" in error && error.code === "53100") || isOfDatabase(error.cause));
}

async function isDiskLow(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(folder);
  // Network and unlimited file systems report 0 blocks.
  return blocks > 0 && bavail * bsize < MIN_FREE_BYTES;
}

async function isFullFor(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    return classifyInfrastructureError(error) === "storage full";
  }
}

/** Probes the file storage and the upload folder; with a bucket these are two different ones. */
async function probeFiles({ storage, dataDir }: FreeSpaceDeps): Promise<void> {
  const filling = Buffer.alloc(256 * 1024, 1);
  const key = "company/0/room/probe";
  await storage.put(key, filling, { contentType: "application/octet-stream" });
  await storage.delete(key);
  const file = join(dataDir, `free-space-probe-${process.pid}`);
  try {
    await writeFile(file, filling);
  } finally {
    await rm(file, { force: true });
  }
}

/** Allocates new pages, which a full disk refuses; an insert may fit into a gap of an existing page. */
async function probeDatabase(db: FreeSpaceDeps["db"]): Promise<void> {
  await db.systemTx(async (tx) => {
    await sql`create temporary table room_probe on commit drop as
      select repeat(md5(page::text), 60) as filling from generate_series(1, 200) page`.execute(tx.db);
  });
}
