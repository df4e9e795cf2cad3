import { pageSize } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { listEvent } from "./contact-lists.events.ts";
import {
  deleteList,
  findAllLists,
  findLists,
  insertList,
  isListInUse,
  lockList,
  lockCampaignsOf,
  lockListForDeletion,
  saveList,
  searchLists,
} from "./contact-lists.queries.ts";
import type { ListRow } from "./contact-lists.queries.ts";

/** The company's contact lists by name, a page at a time (K-01). */
export async function listContactLists(
  ctx: Ctx,
  query: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ readonly rows: ListRow[]; readonly count: number; readonly hasMore: boolean }> {
  const { rows, count } = await searchLists(ctx, query);
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** Every list of the company by name, for a picker. */
export function allContactLists(ctx: Ctx): Promise<ListRow[]> {
  return findAllLists(ctx);
}

/** Throws ERR_NOT_FOUND. */
export async function getContactList(ctx: Ctx, id: number): Promise<ListRow> {
  const [row] = await findLists(ctx, [id]);
  if (!row) {
    throw listNotFound(id);
  }
  return row;
}

/** For whoever changes items of a list: one writer at a time (decision 0194). Throws ERR_NOT_FOUND. */
export async function lockedContactList(ctx: Ctx, id: number): Promise<ListRow> {
  const row = await lockList(ctx, id);
  if (!row) {
    throw listNotFound(id);
  }
  return row;
}

/** Throws ERR_NAME_TAKEN. */
export async function createContactList(ctx: Ctx, name: string): Promise<ListRow> {
  const row = await refuseTakenName(() => insertList(ctx, name));
  ctx.emit(listEvent("created", row.id));
  return row;
}

/** Throws ERR_NOT_FOUND, ERR_NAME_TAKEN. */
export async function renameContactList(ctx: Ctx, id: number, name: string | undefined): Promise<ListRow> {
  const before = await getContactList(ctx, id);
  if (name === undefined) {
    return before;
  }
  const row = await refuseTakenName(() => saveList(ctx, id, { name }));
  ctx.emit(listEvent("updated", id));
  return row;
}

/** Deletes a list with its items. Throws ERR_NOT_FOUND, and ERR_IN_USE while a campaign is to write to it (K-01). */
export async function removeContactList(ctx: Ctx, id: number): Promise<void> {
  const { name } = await getContactList(ctx, id);
  await lockCampaignsOf(ctx, id);
  if (!(await lockListForDeletion(ctx, id))) {
    throw listNotFound(id);
  }
  if (await isListInUse(ctx, id)) {
    throw new AppError("ERR_IN_USE", { contactListId: id });
  }
  await deleteList(ctx, id);
  ctx.emit(listEvent("deleted", id));
  await recordAudit(ctx, { action: "contact-list.deleted", target: { type: "contact-list", id, name } });
}

export function listNotFound(contactListId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { contactListId });
}

async function refuseTakenName<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "contact_lists_name") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}
