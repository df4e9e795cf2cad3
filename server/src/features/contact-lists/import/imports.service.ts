import type { ContactListImport } from "@prosa/contract";
import { checkRows } from "#server/features/contacts/index.ts";
import type { ErasedSince, SheetRow, StoredSheet } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { enqueueNumberCheck } from "../check/index.ts";
import { itemsChanged, listEvent } from "../contact-lists.events.ts";
import { lockedContactList } from "../contact-lists.service.ts";
import { insertItems } from "../items.queries.ts";
import {
  findLatestImport,
  findPendingSheets,
  findRefusedRows,
  insertImport,
  insertRefusedRows,
  lockImport,
  saveImport,
} from "./imports.queries.ts";
import type { ImportRow } from "./imports.queries.ts";

export const IMPORT_TASK = "contact-lists.import";
export const DELETE_SHEET_TASK = "contact-lists.delete-import-file";
/** Refused rows that a report lists; the download has all. */
const maxListed = 100;

/** Starts the import of a sheet into a list. Throws ERR_NOT_FOUND, and ERR_IN_USE while another one into it runs (K-02). */
export async function startImport(ctx: Ctx, contactListId: number, sheet: StoredSheet): Promise<ContactListImport> {
  await lockedContactList(ctx, contactListId);
  const before = await findLatestImport(ctx, contactListId);
  if (before && !hasEnded(before)) {
    throw new AppError("ERR_IN_USE", { contactListId });
  }
  const row = await insertImport(ctx, {
    contact_list_id: contactListId,
    user_id: ctx.actor.kind === "user" ? ctx.actor.userId : null,
    file_name: sheet.fileName,
    storage_key: sheet.storageKey,
    is_book: sheet.isBook,
  });
  ctx.enqueue({
    task: IMPORT_TASK,
    payload: { importId: row.id, columns: sheet.columns },
    lane: `contact-lists-import:${ctx.companyId}`,
    maxAttempts: 20,
    priority: "bulk",
  });
  ctx.emit(importChanged(row));
  return importView(ctx, row);
}

/** The latest import into a list, for whoever looks at it. */
export async function latestImportOf(ctx: Ctx, contactListId: number): Promise<ContactListImport | null> {
  const row = await findLatestImport(ctx, contactListId);
  return row ? importView(ctx, row) : null;
}

/** Whether a list has all that was imported into it last: `partial` where that import was cancelled or failed. */
export async function importProgressOf(ctx: Ctx, contactListId: number): Promise<"running" | "complete" | "partial"> {
  const latest = await findLatestImport(ctx, contactListId);
  if (latest && !hasEnded(latest)) {
    return "running";
  }
  return !latest || latest.state === "finished" ? "complete" : "partial";
}

/** Cancels the latest import into a list; items so far stay. One that has ended is returned unchanged. */
export async function cancelImport(ctx: Ctx, contactListId: number): Promise<ContactListImport | null> {
  const latest = await findLatestImport(ctx, contactListId);
  const row = latest && (await lockImport(ctx, latest.id));
  if (!row) {
    return null;
  }
  return importView(ctx, hasEnded(row) ? row : await endImport(ctx, row, "cancelled"));
}

/** Before a list is deleted: has the files of its imports that run deleted after the commit. */
export async function dropSheetsOf(ctx: Ctx, contactListId: number): Promise<void> {
  (await findPendingSheets(ctx, contactListId)).forEach((key) => enqueueDeletion(ctx, key));
}

/** Saves the number of rows and the state running. Undefined if the import was cancelled meanwhile. */
export async function markImportRunning(ctx: Ctx, id: number, total: number): Promise<ImportRow | undefined> {
  const row = await lockImport(ctx, id);
  if (!row || hasEnded(row)) {
    return undefined;
  }
  const started = await saveImport(ctx, id, { state: "running", total });
  ctx.emit(importChanged(started));
  return started;
}

/** Imports one batch, whose first row has the index `from`. Undefined if the import has ended or another job did the batch. */
export async function importRows(
  ctx: Ctx,
  { id, contact_list_id: contactListId }: ImportRow,
  rows: readonly SheetRow[],
  from: number,
  erased: Omit<ErasedSince, "since">,
): Promise<ImportRow | undefined> {
  await lockedContactList(ctx, contactListId);
  const row = await lockImport(ctx, id);
  // Another run of the job has imported this batch: `done` counts its rows.
  if (!row || hasEnded(row) || row.done !== from) {
    return undefined;
  }
  const checked = await checkRows(ctx, rows, { since: row.created_at, ...erased });
  const items = checked.flatMap((result) => ("contact" in result ? [result.contact] : []));
  const refused = checked.flatMap((result) => ("refused" in result ? [result.refused] : []));
  const created = (await insertItems(ctx, contactListId, items)).length;
  if (refused.length > 0) {
    await insertRefusedRows(ctx, id, refused);
  }
  const next = await saveImport(ctx, id, {
    done: from + rows.length,
    created: row.created + created,
    known: row.known + items.length - created,
    refused: row.refused + refused.length,
  });
  ctx.emit(importChanged(next));
  ctx.emit(listEvent("updated", contactListId));
  return next;
}

/** Ends an import, has its file deleted and the numbers of what it added checked. */
export async function endImport(
  ctx: Ctx,
  row: ImportRow,
  state: "finished" | "cancelled" | "failed",
  failure: ContactListImport["failure"] = null,
): Promise<ImportRow> {
  const ended = await saveImport(ctx, row.id, { state, failure, finished_at: ctx.now(), storage_key: null });
  if (row.storage_key !== null) {
    enqueueDeletion(ctx, row.storage_key);
  }
  ctx.emit(importChanged(ended));
  if (ended.created > 0) {
    ctx.emit(itemsChanged(row.contact_list_id));
    await enqueueNumberCheck(ctx, row.contact_list_id);
  }
  return ended;
}

export function hasEnded({ state }: Pick<ImportRow, "state">): boolean {
  return state !== "waiting" && state !== "running";
}

function enqueueDeletion(ctx: Ctx, storageKey: string): void {
  ctx.enqueue({ task: DELETE_SHEET_TASK, payload: { storageKey }, priority: "bulk" });
}

function importChanged(row: ImportRow): DomainEvent {
  const payload = { contactListId: row.contact_list_id, importId: row.id, hasEnded: hasEnded(row) };
  return { type: "contactList.importChanged", payload };
}

async function importView(ctx: Ctx, row: ImportRow): Promise<ContactListImport> {
  const { id, state, failure, total, done, created, known, refused } = row;
  return {
    ...{ id, state, failure, total, done, created, known, refused },
    contactListId: row.contact_list_id,
    fileName: row.file_name,
    refusedRows: refused === 0 ? [] : await findRefusedRows(ctx, id, { after: 0, limit: maxListed }),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
