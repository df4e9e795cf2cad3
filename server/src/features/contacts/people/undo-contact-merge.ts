import type { Contact } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { contactCreated, contactUpdated } from "../contacts.events.ts";
import { getContact } from "../contacts.service.ts";
import { lockContacts } from "./merge-contacts.queries.ts";
import type { ContactMergeParticipants } from "./merge-participants.ts";
import { undoUntil } from "./merge-snapshot.ts";
import type { MergeSnapshot } from "./merge-snapshot.ts";
import { hasLaterMerge, lockMerge, markUndone, restoreContacts } from "./undo-contact-merge.queries.ts";

/**
 * Undoes a merge: restores the contact under its id, with what it had. What was written since stays with the kept
 * contact. Throws ERR_UNDO_TOO_LATE after ten minutes, a second time, when its number has a new owner, or when a transfer has made
 * conversations of both one, and ERR_UNDO_LATER_FIRST while a later merge of the kept contact is not undone: that snapshot contains this merge. Throws
 * ERR_CONTACT_BEING_ERASED where the kept contact is, and this one with it.
 */
export async function undoContactMerge(
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
  await participants.mustNotBeErased(ctx, [kept.id]);
  try {
    await restoreContacts(ctx, contacts);
    await participants.restore(ctx, kept.id, merge.gone_id, moved);
  } catch (error) {
    // A new contact has the number, or a queue, user or line of the old conversation was deleted.
    throw brokenConstraint(error) === undefined
      ? error
      : new AppError("ERR_UNDO_TOO_LATE", undefined, { cause: error });
  }
  await markUndone(ctx, id);

  ctx.emit(contactCreated(merge.gone_id));
  ctx.emit(contactUpdated(merge.kept_id));
  await recordAudit(ctx, {
    action: "contact.merge-undone",
    target: { type: "contact", id: merge.kept_id },
    contactId: merge.kept_id,
    details: { restoredId: merge.gone_id },
  });
  return {
    contact: await getContact(ctx, media, merge.kept_id),
    restored: await getContact(ctx, media, merge.gone_id),
  };
}
