import { sql } from "kysely";
import type { Ctx } from "../ctx.ts";
import { findLastSwap } from "../db/index.ts";
import type { Cron } from "../jobs/index.ts";
import type { Storage } from "./storage.ts";

/** A folder of the storage with the feature that knows which of its files are referenced. */
export interface FileOwner {
  readonly folder: string;
  /** Those of these keys that a row of the company refers to. Called for every folder: a file may belong to several features. */
  referenced(ctx: Ctx, keys: readonly string[]): Promise<readonly string[]>;
  /** Those of them that may still be served. Default: all referenced ones. */
  visible?(ctx: Ctx, keys: readonly string[]): Promise<readonly string[]>;
}

type CronDeps = Parameters<Cron["run"]>[0];

/** A file is stored before its row is committed, so younger files are not deleted. */
const minAgeMs = 24 * 60 * 60 * 1_000;
/** For as long after a restore one may go back to the database that it kept, and whose files no row of this one refers to. */
export const keptAfterRestoreDays = 30;
const batchSize = 500;
/** Limit of deletions in one night, against mistakes such as a database that does not belong to these files. */
const maxDeletions = 5_000;

/**
 * Deletes unreferenced files each night: those of deleted conversations, and of uploads whose process died before the row
 * was committed. Folders without an owner are left alone, and after a restore the files of before, while the replaced database is there.
 */
export function createSweep(storage: Storage, owners: readonly FileOwner[]): Cron {
  return {
    name: "files.sweep",
    at: { hour: 4, minute: 40 },
    async run(deps) {
      const now = deps.clock.now();
      const before = new Date(now.getTime() - minAgeMs);
      const restoredAt = await findLastSwap(deps.db);
      const isFresh = restoredAt && now.getTime() < restoredAt.getTime() + keptAfterRestoreDays * 24 * 60 * 60 * 1_000;
      const after = isFresh ? restoredAt : new Date(0);
      await storage.deleteStaleUploads(before);
      const { rows } = await sql<{ id: number }>`select id from companies order by id`.execute(deps.db.system);
      let left = maxDeletions;
      for (const { id } of rows) {
        for (const { folder } of owners) {
          left -= await sweepFolder({ storage, owners, deps, after, before, most: left }, id, folder);
        }
      }
      deps.log.info({ deleted: maxDeletions - left }, "unreferenced files deleted");
    },
  };
}

interface Sweep {
  readonly storage: Storage;
  readonly owners: readonly FileOwner[];
  readonly deps: CronDeps;
  /** Only files that were stored between the two. */
  readonly after: Date;
  readonly before: Date;
  readonly most: number;
}

/** Returns how many files were deleted. */
async function sweepFolder(sweep: Sweep, companyId: number, folder: string): Promise<number> {
  const { storage, deps, after, before, most } = sweep;
  let deleted = 0;
  for await (const keys of inBatchesOf(batchSize, storage.list(companyId, folder))) {
    for (const key of await findUnreferenced(sweep, companyId, keys)) {
      deps.signal.throwIfAborted();
      if (deleted === most) {
        return deleted;
      }
      const file = await storage.stat(key);
      if (file && file.storedAt > after && file.storedAt < before) {
        await storage.delete(key);
        deleted += 1;
      }
    }
  }
  return deleted;
}

async function findUnreferenced(
  { owners, deps }: Sweep,
  companyId: number,
  keys: readonly string[],
): Promise<string[]> {
  const { db, clock, log } = deps;
  const actor = { kind: "system", companyId, reason: "files.sweep" } as const;
  const referenced = await db.inCompany({ actor, companyId, clock, log }, (ctx) => findReferenced(ctx, owners, keys));
  return keys.filter((key) => !referenced.has(key));
}

/** Those of the keys that some row of the company refers to. */
export async function findReferenced(
  ctx: Ctx,
  owners: readonly FileOwner[],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const found: (readonly string[])[] = [];
  for (const owner of owners) {
    found.push(await owner.referenced(ctx, keys));
  }
  return new Set(found.flat());
}

async function* inBatchesOf(size: number, all: AsyncIterable<string>): AsyncIterable<readonly string[]> {
  let batch: string[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}
