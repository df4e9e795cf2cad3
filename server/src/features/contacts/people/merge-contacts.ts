import type { Contact, ContactMerge } from "@prosa/contract";
import { undoMergeWithinMinutes } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { contactCreated, contactDeleted, contactUpdated } from "../contacts.events.ts";
import { deleteContact } from "../contacts.queries.ts";
import { getContact } from "../contacts.service.ts";
import {
  hasLaterMerge,
  insertMerge,
  reassignIdentifiers,
  lockContacts,
  lockMerge,
  markUndone,
  snapshotContacts,
  restoreContacts,
} from "./merge-contacts.queries.ts";
import type { ContactsSnapshot } from "./merge-contacts.queries.ts";
import type { ContactMergeParticipants } from "./merge-participants.ts";
import { inheritDetails } from "./contact-resolver.queries.ts";

/** The JSON of `contact_merges.snapshot`. */
interface MergeSnapshot {
  readonly contacts: ContactsSnapshot;
  /** The snapshot of the merge participants. The key is stored: renaming it breaks the undo of merges before. */
  readonly belongings: unknown;
}

/**
 * Merges contact `goneId` into `keptId`, with conversations, notes and numbers. Saves a snapshot of what moved, so that
 * `undoMerge` can restore it. Throws ERR_NO_CONTACT_FOUND, ERR_VALIDATION for groups.
 */
export async function mergeContacts(
  ctx: Ctx,
  media: MediaLinks,
  participants: ContactMergeParticipants,
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

  const contacts = await snapshotContacts(ctx, goneId, keptId);
  const moved = await participants.moveWithSnapshot(ctx, goneId, keptId);
  await reassignIdentifiers(ctx, goneId, keptId, gone.number);
  await inheritDetails(ctx, goneId, keptId);
  await deleteContact(ctx, goneId);
  const snapshot = JSON.stringify({ contacts, belongings: moved } satisfies MergeSnapshot);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const { id, mergedAt } = await insertMerge(ctx, { keptId, goneId, userId, snapshot });

  ctx.emit(contactDeleted(goneId));
  ctx.emit(contactUpdated(keptId));
  return { id, contact: await getContact(ctx, media, keptId), undoUntil: undoUntil(mergedAt).toISOString() };
}

/**
 * Undoes a merge: restores the contact under its id, with what it had. What was written since stays with the kept
 * contact. Throws ERR_UNDO_TOO_LATE after ten minutes, a second time, or when its number has a new owner, and
 * ERR_UNDO_LATER_FIRST while a later merge of the kept contact is not undone: that snapshot contains this merge.
 */
export async function undoMerge(
  ctx: Ctx,
  media: MediaLinks,
  participants: ContactMergeParticipants,
  id: number,
): Promise<{ contact: Contact; restored: Contact }> {
  const merge = await lockMerge(ctx, id);
  if (!merge) {
    throw new AppError("ERR_NOT_FOUND", { mergeId: id });
  }
  if (merge.undone_at !== null || undoUntil(merge.merged_at) < ctx.now()) {
    throw new AppError("ERR_UNDO_TOO_LATE");
  }
  const { contacts, belongings: moved } = merge.snapshot as unknown as MergeSnapshot;
  const [kept] = await lockContacts(ctx, [merge.kept_id]);
  if (await hasLaterMerge(ctx, { id, keptId: merge.kept_id })) {
    throw new AppError("ERR_UNDO_LATER_FIRST");
  }
  if (!kept) {
    throw new AppError("ERR_NOT_FOUND", { contactId: merge.kept_id });
  }
  try {
    await restoreContacts(ctx, contacts);
    await participants.restore(ctx, merge.gone_id, moved);
  } catch (error) {
    // A new contact has the number, or a queue, user or line of the old conversation was deleted.
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
