import type { ContactMerge } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { contactDeleted, contactUpdated } from "../contacts.events.ts";
import { deleteContact } from "../contacts.queries.ts";
import { getContact } from "../contacts.service.ts";
import {
  insertMerge,
  lockContacts,
  reassignIdentifiers,
  snapshotContacts,
  takeNumber,
} from "./merge-contacts.queries.ts";
import type { ContactMergeParticipants } from "./merge-participants.ts";
import { undoUntil } from "./merge-snapshot.ts";
import type { MergeSnapshot } from "./merge-snapshot.ts";
import { inheritDetails } from "./contact-resolver.queries.ts";

/**
 * Merges contact `goneId` into `keptId`, with conversations, notes and numbers. Saves a snapshot of what moved, so that
 * `undoContactMerge` can restore it. Throws ERR_NO_CONTACT_FOUND, ERR_VALIDATION for groups, ERR_CONTACT_BEING_ERASED.
 */
export async function mergeContacts(
  ctx: Ctx,
  media: MediaLinks,
  participants: ContactMergeParticipants,
  { keptId, goneId }: { readonly keptId: number; readonly goneId: number },
): Promise<ContactMerge> {
  const both = await lockContacts(ctx, [keptId, goneId]);
  const gone = both.find(({ id }) => id === goneId);
  const kept = both.find(({ id }) => id === keptId);
  if (keptId === goneId || both.some(({ is_group: isGroup }) => isGroup)) {
    throw new AppError("ERR_VALIDATION", { fields: { contactId: "Another person is wanted" } });
  }
  if (!gone || !kept) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId: gone ? keptId : goneId });
  }
  await participants.mustNotBeErased(ctx, [keptId, goneId]);

  const contacts = await snapshotContacts(ctx, goneId, keptId);
  const moved = await participants.moveWithSnapshot(ctx, goneId, keptId);
  await reassignIdentifiers(ctx, goneId, keptId, kept.number === null ? null : gone.number);
  await inheritDetails(ctx, goneId, keptId);
  await deleteContact(ctx, goneId);
  if (kept.number === null && gone.number !== null) {
    await takeNumber(ctx, keptId, gone.number);
  }
  const snapshot = JSON.stringify({ contacts, belongings: moved } satisfies MergeSnapshot);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const { id, mergedAt } = await insertMerge(ctx, { keptId, goneId, userId, snapshot });

  ctx.emit(contactDeleted(goneId));
  ctx.emit(contactUpdated(keptId));
  await recordAudit(ctx, {
    action: "contact.merged",
    target: { type: "contact", id: keptId },
    contactId: keptId,
    details: { goneId },
  });
  return { id, contact: await getContact(ctx, media, keptId), undoUntil: undoUntil(mergedAt).toISOString() };
}
