import { buffer } from "node:stream/consumers";
import { importColumns } from "@prosa/contract";
import type { ImportColumns } from "@prosa/contract";
import { z } from "zod";
import type { Job, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { ThreadCaller } from "#server/platform/run-in-thread.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { ErasedSince } from "./check-rows.ts";
import { findGroupParticipants, lockImport } from "./imports.queries.ts";
import type { ImportRow } from "./imports.queries.ts";
import { endImport, hasEnded, markImportRunning, importRows } from "./imports.service.ts";
import { readSheet } from "./read-sheet.ts";
import type { SheetResult } from "./read-sheet.ts";

/** Jobs of release 0.1 have no columns: the headings of the file tell them. */
const importPayload = z.object({ importId: z.number().int(), columns: importColumns.optional() });
const sheetPayload = z.object({ storageKey: z.string() });

/** Rows of one transaction: progress is visible, locks are short, and a cancelled import stops soon. */
const batchSize = 500;

/** Imports an address book in batches. A repeated job continues after the last committed batch (C-03). */
export function importContacts(storage: Storage, erased: Omit<ErasedSince, "since">): JobHandler {
  return async (job, deps) => {
    const { importId, columns } = importPayload.parse(job.payload);
    const row = await deps.inCompany((ctx) => lockImport(ctx, importId));
    if (!row || hasEnded(row)) {
      return;
    }
    const read = await readRows(row, columns, storage, { ...deps, companyId: job.companyId ?? 0 });
    if ("failure" in read || read.rows.length === 0) {
      const failure = "failure" in read ? read.failure : row.source === "file" ? "empty" : null;
      await deps.inCompany((ctx) => endImport(ctx, row, failure === null ? "finished" : "failed", failure));
      return;
    }

    let current = await deps.inCompany((ctx) => markImportRunning(ctx, importId, read.rows.length));
    while (current && current.done < current.total) {
      deps.signal.throwIfAborted();
      const from = current.done;
      const rows = read.rows.slice(from, from + batchSize);
      current = await deps.inCompany((ctx) => importRows(ctx, importId, rows, from, erased));
    }
    const ended = current;
    if (ended) {
      await deps.inCompany((ctx) => endImport(ctx, ended, "finished"));
    }
  };
}

/** Deletes the uploaded file of an import that has ended. */
export function deleteSheet(storage: Storage): JobHandler {
  return async (job: Job) => storage.delete(sheetPayload.parse(job.payload).storageKey);
}

async function readRows(
  row: ImportRow,
  columns: ImportColumns | undefined,
  storage: Storage,
  deps: Pick<JobDeps, "inCompany" | "signal"> & ThreadCaller,
): Promise<SheetResult> {
  if (row.storage_key === null) {
    return { rows: await deps.inCompany((ctx) => findGroupParticipants(ctx)) };
  }
  try {
    const bytes = await buffer(await storage.get(row.storage_key));
    return await readSheet(bytes, row.is_book ? "book" : "csv", columns, deps);
  } catch (error) {
    if (error instanceof StorageMiss) {
      return { failure: "unreadable" };
    }
    throw error;
  }
}
