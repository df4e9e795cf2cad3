import type { ContactImport } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import { checkRow } from "./import-rows.ts";
import type { WrittenRow } from "./import-rows.ts";
import {
  findLatestImport,
  insertImport,
  insertPeople,
  lockImport,
  noteRefused,
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
}

/** Begins an import: of a file, or without one of the people whom the lines have seen (C-03). */
export async function beginImport(ctx: Ctx, sheet: StoredSheet | undefined): Promise<ContactImport> {
  const row = await insertImport(ctx, {
    user_id: personOf(ctx),
    source: sheet ? "file" : "phone",
    file_name: sheet?.fileName ?? null,
    storage_key: sheet?.storageKey ?? null,
    is_book: sheet?.isBook ?? false,
  });
  ctx.enqueue({
    task: "contacts.import",
    payload: { importId: row.id },
    lane: `contacts-import:${ctx.companyId}`,
    maxAttempts: 20,
  });
  return importView(row);
}

/** One's own latest import, so that a page that was left can show it again. */
export async function latestImport(ctx: Ctx): Promise<ContactImport | null> {
  const row = await findLatestImport(ctx, personOf(ctx));
  return row ? importView(row) : null;
}

/** Stops an import; who was taken in stays. One that has ended stays as it is. */
export async function cancelImport(ctx: Ctx, id: number): Promise<ContactImport> {
  const row = await lockImport(ctx, id);
  if (row?.user_id !== personOf(ctx)) {
    throw new AppError("ERR_NOT_FOUND", { importId: id });
  }
  return hasEnded(row) ? importView(row) : importView(await endImport(ctx, row, "cancelled"));
}

/** The file was read: so many rows. False when it was cancelled meanwhile. */
export async function startImport(ctx: Ctx, id: number, total: number): Promise<ImportRow | undefined> {
  const row = await lockImport(ctx, id);
  if (!row || hasEnded(row)) {
    return undefined;
  }
  const started = await saveImport(ctx, id, { state: "running", total });
  ctx.emit(importChanged(started));
  return started;
}

/** Takes in the rows from `from` on; returns where to go on, or undefined when it has ended. */
export async function takeInRows(
  ctx: Ctx,
  id: number,
  rows: readonly WrittenRow[],
  from: number,
): Promise<ImportRow | undefined> {
  const row = await lockImport(ctx, id);
  // A job that was taken over goes on where the other one stopped: what that one did is in `done`.
  if (!row || hasEnded(row) || row.done !== from) {
    return undefined;
  }
  const checked = rows.map(checkRow);
  const people = checked.flatMap((found) => ("person" in found ? [found.person] : []));
  const refused = checked.flatMap((found) => ("refused" in found ? [found.refused] : []));

  const created = await insertPeople(ctx, people, row.source === "file");
  if (refused.length > 0) {
    await noteRefused(ctx, id, refused);
  }
  const next = await saveImport(ctx, id, {
    done: from + rows.length,
    created: row.created + created,
    known: row.known + people.length - created,
    refused: row.refused + refused.length,
  });
  ctx.emit(importChanged(next));
  return next;
}

/** Ends an import; its file is no longer needed. */
export async function endImport(
  ctx: Ctx,
  row: ImportRow,
  state: "finished" | "cancelled" | "failed",
  failure: ContactImport["failure"] = null,
): Promise<ImportRow> {
  const ended = await saveImport(ctx, row.id, { state, failure, finished_at: ctx.now(), storage_key: null });
  if (row.storage_key !== null) {
    ctx.enqueue({ task: DELETE_FILE_TASK.enqueuedAs, payload: { storageKey: row.storage_key } });
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

/** Imports are a person's own. */
function personOf({ actor }: Ctx): number {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor.userId;
}
