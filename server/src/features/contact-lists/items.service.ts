import { pageSize } from "@prosa/contract";
import type { BodyOf, contactListItems, QueryOf } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { enqueueNumberCheck } from "./check/index.ts";
import { itemEvent, itemsChanged, listEvent } from "./contact-lists.events.ts";
import type { ListRow } from "./contact-lists.queries.ts";
import { getContactList, lockedContactList } from "./contact-lists.service.ts";
import {
  countTags,
  deleteItem,
  findItem,
  findItems,
  insertContactsAsItems,
  insertItems,
  saveItem,
} from "./items.queries.ts";
import type { FillFrom, ItemRow } from "./items.queries.ts";

/** A page of the contacts of a list by name (K-02). */
export async function listItems(ctx: Ctx, query: QueryOf<typeof contactListItems.list>) {
  const list = await getContactList(ctx, query.contactListId);
  const found = await findItems(ctx, query);
  const rows = found.slice(0, pageSize.others);
  const end = (query.pageNumber - 1) * pageSize.others + found.length;
  const count = query.searchParam === "" ? list.contacts_count : end;
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** Throws ERR_NOT_FOUND. */
export async function getItem(ctx: Ctx, id: number): Promise<ItemRow> {
  const row = await findItem(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { contactListItemId: id });
  }
  return row;
}

/** Adds a contact; its number is checked in the background. Throws ERR_DUPLICATED_CONTACT for a number that the list has. */
export async function createItem(ctx: Ctx, body: BodyOf<typeof contactListItems.create>): Promise<ItemRow> {
  const { contactListId, ...fields } = body;
  await lockedContactList(ctx, contactListId);
  const [id] = await insertItems(ctx, contactListId, [fields]);
  if (id === undefined) {
    throw new AppError("ERR_DUPLICATED_CONTACT");
  }
  const row = await getItem(ctx, id);
  ctx.emit(itemEvent("created", row));
  await enqueueNumberCheck(ctx, contactListId);
  return row;
}

/** Another number is checked again. Throws ERR_NOT_FOUND, ERR_DUPLICATED_CONTACT. */
export async function updateItem(
  ctx: Ctx,
  id: number,
  { name, number, email }: BodyOf<typeof contactListItems.update>,
): Promise<ItemRow> {
  const { contact_list_id: contactListId } = await getItem(ctx, id);
  await lockedContactList(ctx, contactListId);
  const before = await getItem(ctx, id);
  const isOther = number !== undefined && number !== before.number;
  await refuseDuplicate(() =>
    saveItem(ctx, id, {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(isOther && { number }),
    }),
  );
  const row = await getItem(ctx, id);
  ctx.emit(itemEvent("updated", row));
  if (isOther) {
    ctx.emit(listEvent("updated", contactListId));
    await enqueueNumberCheck(ctx, contactListId);
  }
  return row;
}

/** Throws ERR_NOT_FOUND. */
export async function removeItem(ctx: Ctx, id: number): Promise<void> {
  const { contact_list_id: contactListId } = await getItem(ctx, id);
  await lockedContactList(ctx, contactListId);
  const row = await getItem(ctx, id);
  await deleteItem(ctx, id);
  ctx.emit(itemEvent("deleted", row));
  ctx.emit(listEvent("updated", contactListId));
}

/**
 * Adds the contacts whose conversations have one of the tags, of those that the search finds. Throws ERR_VALIDATION where
 * neither says which, and ERR_NOT_FOUND for a tag that is not the company's.
 */
export async function fillFromContacts(
  ctx: Ctx,
  contactListId: number,
  from: FillFrom,
): Promise<{ readonly added: number; readonly known: number; readonly list: ListRow }> {
  if (from.tagIds.length === 0 && from.searchParam === "") {
    throw new AppError("ERR_VALIDATION", { fields: { tagIds: "Required" } });
  }
  const tagIds = [...new Set(from.tagIds)];
  if ((await countTags(ctx, tagIds)) < tagIds.length) {
    throw new AppError("ERR_NOT_FOUND", { tagIds });
  }
  await lockedContactList(ctx, contactListId);
  const { found, added } = await insertContactsAsItems(ctx, contactListId, { ...from, tagIds });
  if (added > 0) {
    ctx.emit(itemsChanged(contactListId));
    await enqueueNumberCheck(ctx, contactListId);
  }
  return { added, known: found - added, list: await getContactList(ctx, contactListId) };
}

async function refuseDuplicate(save: () => Promise<void>): Promise<void> {
  try {
    await save();
  } catch (error) {
    if (brokenConstraint(error) === "contact_list_items_match") {
      throw new AppError("ERR_DUPLICATED_CONTACT", undefined, { cause: error });
    }
    throw error;
  }
}
