import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import {
  countWrites,
  hasEmbedded,
  hasOtherClients,
  loadSnapshot,
  majorOf,
  migrateToLatest,
  openSnapshot,
  replaceCluster,
  startEmbedded,
} from "#server/platform/db/index.ts";
import type { Snapshot, TableRows } from "#server/platform/db/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { measure } from "./back-up.ts";

export interface CarryOverOptions {
  /** Contains `postgres`, made by another major version. */
  readonly dataDir: string;
  /** Folder of a PostgreSQL of that version. */
  readonly postgres: string;
  readonly log: Logger;
  readonly onProgress: (words: string) => void | Promise<void>;
}

export interface CarriedOver {
  readonly tables: number;
  /** Of the rows as text. */
  readonly bytes: number;
  /** Where the data folder of the other version is now. */
  readonly kept: string;
}

/** Its row is made anew: browsers refetch. */
const EPOCH = "epoch";

/**
 * Carries the embedded database over to the installed major version: reads it by a server of its own version, writes it into a new data
 * folder, compares every table, and only then exchanges the folders. The schema stays the one that it was; the next start migrates it.
 * Nothing has changed when it fails or is killed before; run it again. Throws ConfigError while anybody is connected.
 */
export async function carryOver(
  { dataDir, postgres, log, onProgress }: CarryOverOptions,
  now: Date,
): Promise<CarriedOver> {
  const root = resolve(dataDir);
  const aside = join(root, "postgres-carried");
  await discard(aside, log);
  const old = await startEmbedded({ dataDir: root, log, postgres });
  try {
    await refuseOthers(old.url);
    const before = await countWrites(old.url);
    const fresh = await startEmbedded({ dataDir: aside, log });
    let counted: { tables: number; bytes: number };
    try {
      await onProgress(`Copying from PostgreSQL ${await majorOf(join(root, "postgres"))} …`);
      counted = await copy(old.url, fresh.url, log, onProgress);
    } finally {
      await fresh.stop();
    }
    await refuseOthers(old.url); // somebody may have come during the copy
    if ((await countWrites(old.url)) !== before) {
      throw new ConfigError("Prosa ran on this database meanwhile, and its writes are not in the copy: stop it first.");
    }
    await old.stop();
    const kept = await replaceCluster(root, join(aside, "postgres"), now);
    await rm(aside, { recursive: true, force: true });
    return { ...counted, kept };
  } catch (error) {
    // A running Prosa goes on with its server.
    await old.stop({ keepRunning: old.wasRunning });
    // After a full disk the half of a copy would leave Prosa no room to write.
    await discard(aside, log).catch((trouble: unknown) => log.warn({ err: trouble }, "the copy could not be removed"));
    throw error;
  }
}

/** What a killed attempt left; its server may still run. */
async function discard(aside: string, log: Logger): Promise<void> {
  if (await hasEmbedded(aside)) {
    await startEmbedded({ dataDir: aside, log }).then(
      (left) => left.stop(),
      (error: unknown) => log.debug({ err: error }, "the server of an earlier attempt does not start"),
    );
  }
  await rm(aside, { recursive: true, force: true });
}

/** What somebody writes after the copy would be lost. */
async function refuseOthers(url: string): Promise<void> {
  if (await hasOtherClients(url)) {
    throw new ConfigError("Prosa still runs on this database: stop it first.");
  }
}

async function copy(from: string, to: string, log: Logger, onProgress: CarryOverOptions["onProgress"]) {
  const source = await openSnapshot(from);
  try {
    await migrateToLatest({ url: to, log, upTo: source.layout.migrations.at(-1) ?? "", isScratch: true });
    const digests = new Map<string, string>();
    await loadSnapshot(to, source.layout, tablesOf(source, digests));
    await onProgress("Comparing …");
    const target = await openSnapshot(to);
    try {
      let bytes = 0;
      for (const table of target.layout.tables) {
        const measured = measure(target.copyOut(table));
        await finished(measured.body.resume());
        const { sha256, bytes: size } = measured.result();
        bytes += size;
        if (table.name !== EPOCH && sha256 !== digests.get(table.name)) {
          throw new Error(`The table ${table.name} is not as it was; nothing has been changed`);
        }
      }
      return { tables: target.layout.tables.length, bytes };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function* tablesOf(source: Snapshot, digests: Map<string, string>): AsyncGenerator<TableRows> {
  for (const table of source.layout.tables) {
    const measured = measure(source.copyOut(table));
    yield { table, rows: measured.body };
    digests.set(table.name, measured.result().sha256);
  }
}
