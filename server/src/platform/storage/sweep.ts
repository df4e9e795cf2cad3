import { sql } from "kysely";
import type { Ctx } from "../ctx.ts";
import type { Cron } from "../jobs/index.ts";
import type { Storage } from "./storage.ts";

/** A folder of the storage, and who knows which of its files are still wanted. */
export interface FileOwner {
  readonly folder: string;
  /** Those of these keys that a row of the company names. Asked for every folder: a file may serve several nouns. */
  referenced(ctx: Ctx, keys: readonly string[]): Promise<readonly string[]>;
  /** Those of them whose addresses still work; all that are named where it is left out. */
  visible?(ctx: Ctx, keys: readonly string[]): Promise<readonly string[]>;
}

type CronDeps = Parameters<Cron["run"]>[0];

/** A file is stored before the row that names it is committed: so long nobody misses the row. */
const youngMs = 24 * 60 * 60 * 1_000;
const batchSize = 500;
/** A mistake, such as a database that is not the one of these files, costs no more than this in one night. */
const maxDeletions = 5_000;

/**
 * Each night lets go of files that no row names: those of conversations that were deleted, and of uploads whose process
 * died before the row was there. Folders that nobody keeps are left alone.
 */
export function createSweep(storage: Storage, keepers: readonly FileOwner[]): Cron {
  return {
    name: "files.sweep",
    at: { hour: 4, minute: 40 },
    async run(deps) {
      const before = new Date(deps.clock.now().getTime() - youngMs);
      await storage.deleteStaleUploads(before);
      const { rows } = await sql<{ id: number }>`select id from companies order by id`.execute(deps.db.system);
      let left = maxDeletions;
      for (const { id } of rows) {
        for (const { folder } of keepers) {
          left -= await sweepFolder({ storage, keepers, deps, before, most: left }, id, folder);
        }
      }
      deps.log.info({ deleted: maxDeletions - left }, "files that no row names were deleted");
    },
  };
}

interface Sweep {
  readonly storage: Storage;
  readonly keepers: readonly FileOwner[];
  readonly deps: CronDeps;
  readonly before: Date;
  readonly most: number;
}

/** Returns how many files were deleted. */
async function sweepFolder(sweep: Sweep, companyId: number, folder: string): Promise<number> {
  const { storage, deps, before, most } = sweep;
  let deleted = 0;
  for await (const keys of inBatchesOf(batchSize, storage.list(companyId, folder))) {
    for (const key of await findUnreferenced(sweep, companyId, keys)) {
      deps.signal.throwIfAborted();
      if (deleted === most) {
        return deleted;
      }
      const file = await storage.stat(key);
      if (file && file.storedAt < before) {
        await storage.delete(key);
        deleted += 1;
      }
    }
  }
  return deleted;
}

async function findUnreferenced(
  { keepers, deps }: Sweep,
  companyId: number,
  keys: readonly string[],
): Promise<string[]> {
  const { db, clock, log } = deps;
  const actor = { kind: "system", companyId, reason: "files.sweep" } as const;
  const named = await db.inCompany({ actor, companyId, clock, log }, async (ctx) => {
    const found: (readonly string[])[] = [];
    for (const keeper of keepers) {
      found.push(await keeper.referenced(ctx, keys));
    }
    return new Set(found.flat());
  });
  return keys.filter((key) => !named.has(key));
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
