import { buffer } from "node:stream/consumers";
import { importColumns } from "@prosa/contract";
import type { ImportColumns } from "@prosa/contract";
import { z } from "zod";
import { readSheet } from "#server/features/contacts/index.ts";
import type { ErasedSince } from "#server/features/contacts/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { ThreadCaller } from "#server/platform/run-in-thread.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { lockImport } from "./imports.queries.ts";
import type { ImportRow } from "./imports.queries.ts";
import { endImport, hasEnded, importRows, markImportRunning } from "./imports.service.ts";

const importPayload = z.object({ importId: z.number().int(), columns: importColumns });
const sheetPayload = z.object({ storageKey: z.string() });

/** Rows of one transaction: progress is visible, locks are short, and a cancelled import stops soon. */
const batchSize = 500;

/** Imports a sheet into a list in batches. A repeated job continues after the last committed batch (K-02). */
export function importIntoList(storage: Storage, erased: Omit<ErasedSince, "since">): JobHandler {
  return async (job, deps) => {
    const { importId, columns } = importPayload.parse(job.payload);
    const row = await deps.inCompany((ctx) => lockImport(ctx, importId));
    if (!row || hasEnded(row)) {
      return;
    }
    const read = await readRows(row, columns, storage, { companyId: job.companyId ?? 0, signal: deps.signal });
    if ("failure" in read || read.rows.length === 0) {
      const failure = "failure" in read ? read.failure : "empty";
      await deps.inCompany((ctx) => endImport(ctx, row, "failed", failure));
      return;
    }

    let current = await deps.inCompany((ctx) => markImportRunning(ctx, importId, read.rows.length));
    while (current && current.done < current.total) {
      deps.signal.throwIfAborted();
      const batchOf = current;
      const rows = read.rows.slice(batchOf.done, batchOf.done + batchSize);
      current = await deps.inCompany((ctx) => importRows(ctx, batchOf, rows, batchOf.done, erased));
    }
    const ended = current;
    if (ended) {
      await deps.inCompany((ctx) => endImport(ctx, ended, "finished"));
    }
  };
}

/** Deletes the uploaded file of an import that has ended. */
export function deleteSheet(storage: Storage): JobHandler {
  return async (job) => storage.delete(sheetPayload.parse(job.payload).storageKey);
}

async function readRows(row: ImportRow, columns: ImportColumns, storage: Storage, caller: ThreadCaller) {
  if (row.storage_key === null) {
    return { failure: "unreadable" } as const;
  }
  try {
    const bytes = await buffer(await storage.get(row.storage_key));
    return await readSheet(bytes, row.is_book ? "book" : "csv", columns, caller);
  } catch (error) {
    if (error instanceof StorageMiss) {
      return { failure: "unreadable" } as const;
    }
    throw error;
  }
}
