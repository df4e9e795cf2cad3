import type { ContactImport, ImportColumns } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import { checkRows } from "./check-rows.ts";
import type { ErasedSince } from "./check-rows.ts";
import type { CheckedRow, RefusedRow, SheetRow } from "./import-rows.ts";
import {
  findExistingNumbers,
  findLatestImport,
  insertImport,
  insertNewContacts,
  lockImport,
  appendRefusedRows,
  saveImport,
} from "./imports.queries.ts";
import type { ImportRow } from "./imports.queries.ts";

export const DELETE_FILE_TASK = renamedTask("contacts.delete-import-file", {
  formerName: "contacts.drop-sheet",
  since: "0.2.0",
});

export interface StoredSheet {
  readonly fileName: string;
  readonly storageKey: string;
  readonly isBook: boolean;
  readonly columns: ImportColumns;
}

/** Starts an import: of a file, or without one of the people who wrote in groups (C-03). */
export async function startImport(ctx: Ctx, sheet: StoredSheet | undefined): Promise<ContactImport> {
  const row = await insertImport(ctx, {
    user_id: importerOf(ctx),
    source: sheet ? "file" : "phone",
    file_name: sheet?.fileName ?? null,
    storage_key: sheet?.storageKey ?? null,
    is_book: sheet?.isBook ?? false,
  });
  await recordAudit(ctx, { action: "contacts.imported", target: { type: "file", id: row.id, name: row.file_name } });
  ctx.enqueue({
    task: "contacts.import",
    payload: { importId: row.id, ...(sheet && { columns: sheet.columns }) },
    lane: `contacts-import:${ctx.companyId}`,
    maxAttempts: 20,
    priority: "bulk",
  });
  return importView(row);
}

/** The user's latest import, so that a page that was left can show it again. */
export async function getLatestImport(ctx: Ctx): Promise<ContactImport | null> {
  const row = await findLatestImport(ctx, importerOf(ctx));
  return row ? importView(row) : null;
}

/** Cancels an import; contacts imported so far stay. An import that has ended is returned unchanged. */
export async function cancelImport(ctx: Ctx, id: number): Promise<ContactImport> {
  const row = await lockImport(ctx, id);
  if (row?.user_id !== importerOf(ctx)) {
    throw new AppError("ERR_NOT_FOUND", { importId: id });
  }
  return hasEnded(row) ? importView(row) : importView(await endImport(ctx, row, "cancelled"));
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
  id: number,
  rows: readonly SheetRow[],
  from: number,
  erased: Omit<ErasedSince, "since">,
): Promise<ImportRow | undefined> {
  const row = await lockImport(ctx, id);
  // Another run of the job has imported this batch: `done` counts its rows.
  if (!row || hasEnded(row) || row.done !== from) {
    return undefined;
  }
  const checked = await checkRows(ctx, rows, { since: row.created_at, ...erased });
  const imported = checked.flatMap((result) => ("contact" in result ? [result.contact] : []));
  const created = await insertNewContacts(ctx, imported, row.source === "file");
  const { refused, known } = await sortOutUnnamed(ctx, checked);
  if (refused.length > 0) {
    await appendRefusedRows(ctx, id, refused);
  }
  const next = await saveImport(ctx, id, {
    done: from + rows.length,
    created: row.created + created,
    known: row.known + imported.length - created + known,
    refused: row.refused + refused.length,
  });
  ctx.emit(importChanged(next));
  return next;
}

/** A row without a name is refused, except where the contact exists: then nothing is lost. */
async function sortOutUnnamed(
  ctx: Ctx,
  checked: readonly CheckedRow[],
): Promise<{ readonly refused: RefusedRow[]; readonly known: number }> {
  const refusals = checked.flatMap((result) => ("refused" in result ? [result] : []));
  const numbers = refusals.flatMap(({ numberOfUnnamed }) => numberOfUnnamed ?? []);
  const existing = numbers.length === 0 ? new Set() : await findExistingNumbers(ctx, numbers);
  const refused = refusals.filter((each) => !existing.has(each.numberOfUnnamed ?? "")).map((each) => each.refused);
  return { refused, known: refusals.length - refused.length };
}

/** Ends an import and enqueues the deletion of its file. */
export async function endImport(
  ctx: Ctx,
  row: ImportRow,
  state: "finished" | "cancelled" | "failed",
  failure: ContactImport["failure"] = null,
): Promise<ImportRow> {
  const ended = await saveImport(ctx, row.id, { state, failure, finished_at: ctx.now(), storage_key: null });
  if (row.storage_key !== null) {
    ctx.enqueue({ task: DELETE_FILE_TASK.enqueuedAs, payload: { storageKey: row.storage_key }, priority: "bulk" });
  }
  ctx.emit(importChanged(ended));
  return ended;
}

export function hasEnded({ state }: Pick<ImportRow, "state">): boolean {
  return state !== "waiting" && state !== "running";
}

function importChanged(row: ImportRow): DomainEvent {
  const payload = { importId: row.id, userId: row.user_id, hasEnded: hasEnded(row) };
  return { type: "contact.import-changed", payload };
}

function importView(row: ImportRow): ContactImport {
  const { id, source, file_name: fileName, state, failure, total, done, created, known, refused } = row;
  return {
    ...{ id, source, fileName, state, failure, total, done, created, known, refused },
    refusedRows: row.refused_rows,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** The user whose import it is; imports are visible to their user alone. Throws ERR_NO_PERMISSION. */
function importerOf(ctx: Ctx): number {
  return requireUser(ctx).userId;
}
