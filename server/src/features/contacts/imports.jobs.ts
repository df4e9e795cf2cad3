import { buffer } from "node:stream/consumers";
import { z } from "zod";
import type { Job, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { findPeopleOfGroups, lockImport } from "./imports.queries.ts";
import type { ImportRow } from "./imports.queries.ts";
import { endImport, hasEnded, startImport, takeInRows } from "./imports.service.ts";
import { readSheet } from "./read-sheet.ts";
import type { SheetAnswer } from "./read-sheet.ts";

const about = z.object({ importId: z.number().int() });
const sheet = z.object({ storageKey: z.string() });

/** Rows of one transaction: progress shows, others get their turn, and a cancelled import stops soon. */
const rowsAtOnce = 500;

/** Takes in an address book, a few hundred rows at a time. Run again, it goes on where it stopped (C-03). */
export function importContacts(storage: Storage): JobHandler {
  return async (job, deps) => {
    const { importId } = about.parse(job.payload);
    const row = await deps.inCompany((ctx) => lockImport(ctx, importId));
    if (!row || hasEnded(row)) {
      return;
    }
    const read = await rowsOf(row, storage, deps);
    if ("failure" in read || read.rows.length === 0) {
      const failure = "failure" in read ? read.failure : row.source === "file" ? "empty" : null;
      await deps.inCompany((ctx) => endImport(ctx, row, failure === null ? "finished" : "failed", failure));
      return;
    }

    let current = await deps.inCompany((ctx) => startImport(ctx, importId, read.rows.length));
    while (current && current.done < current.total) {
      deps.signal.throwIfAborted();
      const from = current.done;
      const rows = read.rows.slice(from, from + rowsAtOnce);
      current = await deps.inCompany((ctx) => takeInRows(ctx, importId, rows, from));
    }
    const ended = current;
    if (ended) {
      await deps.inCompany((ctx) => endImport(ctx, ended, "finished"));
    }
  };
}

/** The file of an import that has ended goes. */
export function dropSheet(storage: Storage): JobHandler {
  return async (job: Job) => storage.delete(sheet.parse(job.payload).storageKey);
}

async function rowsOf(row: ImportRow, storage: Storage, deps: JobDeps): Promise<SheetAnswer> {
  if (row.storage_key === null) {
    return { rows: await deps.inCompany((ctx) => findPeopleOfGroups(ctx)) };
  }
  try {
    const bytes = await buffer(await storage.get(row.storage_key));
    return await readSheet(bytes, row.is_book ? "book" : "csv");
  } catch (error) {
    if (error instanceof StorageMiss) {
      return { failure: "unreadable" };
    }
    throw error;
  }
}
