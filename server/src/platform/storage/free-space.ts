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

/** Whether there is room to save anything. What was full is asked again at each look, so recovery needs nobody. */
export interface FreeSpace {
  /** Called with whatever went wrong; remembers where it says that there is no room. */
  reportError(error: unknown): void;
  check(): Promise<FreeSpaceStatus>;
}

export interface FreeSpaceDeps {
  readonly db: Pick<Db, "systemTx">;
  readonly storage: Pick<Storage, "put" | "delete">;
  /** Uploads come in here, and the embedded database lives here. */
  readonly dataDir: string;
  readonly log: Logger;
}

/** Below this each look tries whether a file can still be saved, before anybody is turned away. Some disks tell no truth. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

export function createFreeSpace(parts: FreeSpaceDeps): FreeSpace {
  const { dataDir, log } = parts;
  const isFull = { database: false, files: false };
  let looking: Promise<FreeSpaceStatus> | undefined;

  function mark(place: keyof FreeSpaceStatus, full: boolean, why?: unknown): void {
    if (full && !isFull[place]) {
      log.error({ err: why, place }, "storage full: nothing can be saved until somebody makes room");
    } else if (!full && isFull[place]) {
      log.info({ place }, "storage has room again");
    }
    isFull[place] = full;
  }

  async function lookNow(): Promise<FreeSpaceStatus> {
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
    check: () => (looking ??= lookNow().finally(() => (looking = undefined))),
  };
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && (("code" in error && error.code === "53100") || isOfDatabase(error.cause));
}

async function isDiskLow(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(folder);
  // A disk of a network or without a limit has none to tell.
  return blocks > 0 && bavail * bsize < LEAST_FREE_BYTES;
}

async function isFullFor(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    return classifyInfrastructureError(error) === "storage full";
  }
}

/** Where files are kept, and where uploads come in: with a bucket these are two places. */
async function probeFiles({ storage, dataDir }: FreeSpaceDeps): Promise<void> {
  const filling = Buffer.alloc(256 * 1024, 1);
  const key = "company/0/room/probe";
  await storage.put(key, filling, { contentType: "application/octet-stream" });
  await storage.delete(key);
  const file = join(dataDir, `room-probe-${process.pid}`);
  try {
    await writeFile(file, filling);
  } finally {
    await rm(file, { force: true });
  }
}

/** New pages are what a full disk refuses: an insert into a table with gaps would still find room. */
async function probeDatabase(db: FreeSpaceDeps["db"]): Promise<void> {
  await db.systemTx(async (tx) => {
    await sql`create temporary table room_probe on commit drop as
      select repeat(md5(page::text), 60) as filling from generate_series(1, 200) page`.execute(tx.db);
  });
}
