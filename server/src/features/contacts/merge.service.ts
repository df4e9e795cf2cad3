import type { Contact, ContactMerge } from "@prosa/contract";
import { undoMergeWithinMinutes } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { contactCreated, contactDeleted, contactUpdated } from "./contacts.events.ts";
import { deleteContact } from "./contacts.queries.ts";
import { getContact } from "./contacts.service.ts";
import {
  hasLaterMerge,
  insertMerge,
  leaveAliases,
  lockContacts,
  lockMerge,
  markUndone,
  rememberContacts,
  restoreContacts,
} from "./merge.queries.ts";
import type { ContactMemory } from "./merge.queries.ts";
import type { Belongings } from "./people.ts";
import { inheritDetails } from "./people.queries.ts";

interface Snapshot {
  readonly contacts: ContactMemory;
  readonly belongings: unknown;
}

/**
 * Two contacts are one person: `goneId` goes into `keptId`, with conversations, notes and numbers. What moved is
 * remembered, so that `undoMerge` can take it back. Throws ERR_NO_CONTACT_FOUND, ERR_VALIDATION for groups.
 */
export async function mergeContacts(
  ctx: Ctx,
  media: MediaLinks,
  belongings: Belongings,
  { keptId, goneId }: { readonly keptId: number; readonly goneId: number },
): Promise<ContactMerge> {
  const both = await lockContacts(ctx, [keptId, goneId]);
  const gone = both.find(({ id }) => id === goneId);
  if (keptId === goneId || both.some(({ is_group: isGroup }) => isGroup)) {
    throw new AppError("ERR_VALIDATION", { fields: { contactId: "Another person is wanted" } });
  }
  if (!gone || both.length !== 2) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId: gone ? keptId : goneId });
  }

  const contacts = await rememberContacts(ctx, goneId, keptId);
  const moved = await belongings.moveWithMemory(ctx, goneId, keptId);
  await leaveAliases(ctx, goneId, keptId, gone.number);
  await inheritDetails(ctx, goneId, keptId);
  await deleteContact(ctx, goneId);
  const snapshot = JSON.stringify({ contacts, belongings: moved } satisfies Snapshot);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const { id, mergedAt } = await insertMerge(ctx, { keptId, goneId, userId, snapshot });

  ctx.emit(contactDeleted(goneId));
  ctx.emit(contactUpdated(keptId));
  return { id, contact: await getContact(ctx, media, keptId), undoUntil: undoUntil(mergedAt).toISOString() };
}

/**
 * Takes a merge back: the contact is there again under its id, with what it had. What was written since stays with the
 * one that stayed. Throws ERR_UNDO_TOO_LATE after ten minutes, a second time, or when its number has a new owner, and
 * ERR_UNDO_LATER_FIRST while a later merge of the one that stayed holds: what that one remembers has this one in it.
 */
export async function undoMerge(
  ctx: Ctx,
  media: MediaLinks,
  belongings: Belongings,
  id: number,
): Promise<{ contact: Contact; restored: Contact }> {
  const merge = await lockMerge(ctx, id);
  if (!merge) {
    throw new AppError("ERR_NOT_FOUND", { mergeId: id });
  }
  if (merge.undone_at !== null || undoUntil(merge.merged_at) < ctx.now()) {
    throw new AppError("ERR_UNDO_TOO_LATE");
  }
  const { contacts, belongings: moved } = merge.snapshot as unknown as Snapshot;
  const [kept] = await lockContacts(ctx, [merge.kept_id]);
  if (await hasLaterMerge(ctx, { id, keptId: merge.kept_id })) {
    throw new AppError("ERR_UNDO_LATER_FIRST");
  }
  if (!kept) {
    throw new AppError("ERR_NOT_FOUND", { contactId: merge.kept_id });
  }
  try {
    await restoreContacts(ctx, contacts);
    await belongings.giveBack(ctx, merge.gone_id, moved);
  } catch (error) {
    // a new contact has the number, or a queue, user or line of the old conversation is gone
    throw brokenConstraint(error) === undefined
      ? error
      : new AppError("ERR_UNDO_TOO_LATE", undefined, { cause: error });
  }
  await markUndone(ctx, id);

  ctx.emit(contactCreated(merge.gone_id));
  ctx.emit(contactUpdated(merge.kept_id));
  return {
    contact: await getContact(ctx, media, merge.kept_id),
    restored: await getContact(ctx, media, merge.gone_id),
  };
}

export function undoUntil(mergedAt: Date): Date {
  return new Date(mergedAt.getTime() + undoMergeWithinMinutes * 60_000);
}
