import { fileListRules, pageSize } from "@prosa/contract";
import type { BodyOf, FileListBody, fileLists } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { fileListEvent } from "./files.events.ts";
import {
  deleteFileList,
  findFileLists,
  insertFileList,
  isFileListInUse,
  keepFileList,
  lockCampaignsOf,
  lockFileList,
  lockFileListForDeletion,
  saveFileList,
  saveOptions,
  searchFileLists,
} from "./files.queries.ts";
import type { FileListRow, FileOptionRow, WantedOption } from "./files.queries.ts";

type Changes = BodyOf<typeof fileLists.update>;

/** The company's file lists by name: a page, or without `pageNumber` all for a picker (O-07). */
export async function listFileLists(
  ctx: Ctx,
  query: { readonly searchParam: string; readonly pageNumber: number | undefined },
) {
  const { rows, count } = await searchFileLists(ctx, query);
  const seen = query.pageNumber === undefined ? rows.length : query.pageNumber * pageSize.others;
  return { rows, count, hasMore: seen < count };
}

/** Throws ERR_NOT_FOUND. */
export async function getFileList(ctx: Ctx, id: number): Promise<FileListRow> {
  const [row] = await findFileLists(ctx, [id]);
  if (!row) {
    throw notFound(id);
  }
  return row;
}

export async function createFileList(ctx: Ctx, { name, message, options }: FileListBody): Promise<FileListRow> {
  const userId = ctx.actor.kind === "user" && !ctx.actor.support ? ctx.actor.userId : null;
  const id = await insertFileList(ctx, { name, message, user_id: userId });
  await saveOptions(ctx, id, wantedOptions(options, []));
  ctx.emit(fileListEvent("created", id));
  return getFileList(ctx, id);
}

/**
 * Changes a list and its options. Options that the client knew of and leaves out are deleted; one that a colleague has added meanwhile
 * stays, at the end. `dropped`: storage keys that it no longer refers to. Throws ERR_NOT_FOUND, and ERR_VALIDATION where it would have
 * too many with the colleague's.
 */
export async function updateFileList(
  ctx: Ctx,
  id: number,
  { name, message, options, ...known }: Changes,
): Promise<{ readonly row: FileListRow; readonly dropped: readonly string[] }> {
  const before = await lockedFileList(ctx, id);
  if (name !== undefined || message !== undefined) {
    await saveFileList(ctx, id, { ...(name !== undefined && { name }), ...(message !== undefined && { message }) });
  }
  if (options) {
    const wanted = wantedOptions(options, before.options);
    const all = [...wanted, ...unseenOptions(before.options, wanted, known)];
    if (all.length > fileListRules.maxOptions) {
      throw new AppError("ERR_VALIDATION", { fields: { options: "Too many files" } });
    }
    await saveOptions(ctx, id, all);
  }
  ctx.emit(fileListEvent("updated", id));
  const row = await getFileList(ctx, id);
  const kept = new Set(keysOf(row));
  return { row, dropped: keysOf(before).filter((key) => !kept.has(key)) };
}

/**
 * Deletes a list; options of queues and other campaigns that refer to it lose it. Returns the keys of its files. Throws ERR_NOT_FOUND,
 * and ERR_IN_USE while a campaign is to send it, which might have nothing else to say (O-07).
 */
export async function removeFileList(ctx: Ctx, id: number): Promise<readonly string[]> {
  await lockCampaignsOf(ctx, id);
  if (!(await lockFileListForDeletion(ctx, id))) {
    throw notFound(id);
  }
  if (await isFileListInUse(ctx, id)) {
    throw new AppError("ERR_IN_USE", { fileListId: id });
  }
  const before = await getFileList(ctx, id);
  await deleteFileList(ctx, id);
  ctx.emit(fileListEvent("deleted", id));
  return keysOf(before);
}

/** For a row that is to refer to a list: throws ERR_NOT_FOUND unless it is the company's, and keeps it until the commit. */
export async function requireFileList(ctx: Ctx, id: number | null | undefined): Promise<void> {
  if (id != null && !(await keepFileList(ctx, id))) {
    throw notFound(id);
  }
}

/** Throws ERR_NOT_FOUND. Others wait with their changes until the transaction ends. */
export async function lockedFileList(ctx: Ctx, id: number): Promise<FileListRow> {
  if (!(await lockFileList(ctx, id))) {
    throw notFound(id);
  }
  return getFileList(ctx, id);
}

/**
 * An option that was deleted meanwhile is added again: what a person saves is what they saw. One that was added by an earlier try of
 * the same form, whose answer was lost, is known by its client's id.
 */
function wantedOptions(options: FileListBody["options"], known: readonly FileOptionRow[]): WantedOption[] {
  const free = new Set(known);
  return options.map(({ id, clientId = null, name, path }) => {
    const found = [...free].find((one) => one.id === id || (clientId !== null && one.client_id === clientId));
    if (found) {
      free.delete(found);
    }
    return { id: found?.id ?? null, clientId, name, takesFileOff: path === null };
  });
}

/** The options that are neither wanted nor known to who saves the list. Without `knownOptionIds` there are none: the client speaks of all. */
function unseenOptions(
  before: readonly FileOptionRow[],
  wanted: readonly WantedOption[],
  { knownOptionIds, knownClientIds }: Pick<Changes, "knownOptionIds" | "knownClientIds">,
): WantedOption[] {
  if (!knownOptionIds) {
    return [];
  }
  const seen = new Set<number | string | null>([...knownOptionIds, ...knownClientIds, ...wanted.map(({ id }) => id)]);
  return before.flatMap(({ id, client_id: clientId, name }) =>
    seen.has(id) || (clientId !== null && seen.has(clientId)) ? [] : [{ id, clientId, name, takesFileOff: false }],
  );
}

function keysOf({ options }: FileListRow): string[] {
  return options.flatMap(({ media_path: key }) => key ?? []);
}

function notFound(fileListId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { fileListId });
}
