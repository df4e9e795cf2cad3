import { z } from "zod";
import { lockTickets, refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isSamePerson } from "../authors.ts";
import { saveEdit, findChangeTargets, markMessageDeleted, saveReaction } from "./changes.queries.ts";
import type { ChangeTarget } from "./changes.queries.ts";
import { enqueueLinkPreview } from "../links/index.ts";
import { enqueueDeleteByAdmin } from "./delete-by-admin.ts";
import { savePendingChange, consumePendingChanges } from "./pending-changes.queries.ts";
import { messageUpdated } from "../messages.events.ts";

/** Edits, deletions and reactions that come in from WhatsApp. */
const address = z.string().nullable();
const person = z.object({ phone: address, lid: address });

const chatAddresses = z.object({ groupId: address, phone: address, lid: address });

/** `fromMe`: the target is an own message. The author of the change is `byMe`, or in a group `by`. */
const target = { waId: z.string(), fromMe: z.boolean(), chat: chatAddresses, at: z.coerce.date() };

/** A change of a message, received from WhatsApp. It is stored as JSON while its message has not been received. */
const receivedChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("edit"), ...target, by: person.nullable(), byMe: z.boolean(), text: z.string() }),
  z.object({ kind: z.literal("revoke"), ...target, by: person.nullable(), byMe: z.boolean() }),
  z.object({
    kind: z.literal("reaction"),
    ...target,
    emoji: z.string(),
    sender: z.string(),
    /** The sender's other address. Absent in changes that the release before stored. */
    alias: address.optional(),
    senderName: z.string(),
  }),
]);
export type ReceivedChange = z.output<typeof receivedChange>;

/**
 * Applies changes in the given order, each to the message of its own chat. A change whose message has not been received, or
 * is a placeholder, is stored as pending; a placeholder is deleted at once as well, because its content may never come.
 */
export async function applyReceivedChanges(
  ctx: Ctx,
  connectionId: number,
  changes: readonly ReceivedChange[],
): Promise<void> {
  const targets = await findChangeTargets(ctx, connectionId, changes);
  // Lock order: tickets before messages. An edit may change the last-message preview of its ticket.
  await lockTickets(ctx, [...new Set([...targets.values()].map(({ ticketId }) => ticketId))]);

  for (const [index, change] of changes.entries()) {
    const found = targets.get(index);
    if (!found || found.isPlaceholder) {
      await savePendingChange(ctx, connectionId, change.waId, change);
    }
    if (found && (!found.isPlaceholder || (change.kind === "revoke" && permissionFor(found, change) === "granted"))) {
      await apply(ctx, connectionId, found, change);
    }
  }
}

/** Applies the pending changes of messages that have been received now. */
export async function applyPendingChanges(ctx: Ctx, connectionId: number, waIds: readonly string[]): Promise<void> {
  if (waIds.length === 0) {
    return;
  }
  const pending = await consumePendingChanges(ctx, connectionId, waIds);
  if (pending.length > 0) {
    // Changes stored by an earlier release lack their chat, so the author's right cannot be checked: they are dropped.
    const valid = pending.flatMap(({ change }) => receivedChange.safeParse(change).data ?? []);
    await applyReceivedChanges(ctx, connectionId, valid);
  }
}

async function apply(ctx: Ctx, connectionId: number, found: ChangeTarget, change: ReceivedChange): Promise<void> {
  const { id, ticketId } = found;
  const permission = permissionFor(found, change);
  if (permission === "ifAdmin" && change.kind === "revoke") {
    enqueueDeleteByAdmin(ctx, { connectionId, messageId: id, groupId: change.chat.groupId, by: change.by });
  }
  // The late content of a placeholder that was deleted is in the preview until its deletion is applied again.
  if (permission === "granted" && ((await saveChange(ctx, id, change)) || change.kind === "revoke")) {
    ctx.emit(messageUpdated(ticketId, id));
    if (change.kind !== "reaction") {
      await refreshLastMessagePreview(ctx, ticketId, id);
    }
    if (change.kind === "edit") {
      await enqueueLinkPreview(ctx, id, change.text);
    }
  }
}

/** Everybody in a chat may react. Only the author edits. The author deletes, and in a group an admin (whatsapp.md 4.9). */
function permissionFor(
  { fromMe, participant }: ChangeTarget,
  change: ReceivedChange,
): "granted" | "ifAdmin" | "denied" {
  if (change.kind === "reaction") {
    return "granted";
  }
  const isGroup = change.chat.groupId !== null;
  if (fromMe ? change.byMe : isGroup ? isSamePerson(change.by, participant) : !change.byMe) {
    return "granted";
  }
  if (change.kind !== "revoke" || !isGroup) {
    return "denied";
  }
  // A deletion by the company's own phone is trusted: the phone offers only what WhatsApp allows.
  return change.byMe ? "granted" : "ifAdmin";
}

function saveChange(ctx: Ctx, id: number, change: ReceivedChange): Promise<boolean> {
  switch (change.kind) {
    case "edit":
      return saveEdit(ctx, id, { body: change.text, at: change.at, isReceived: true });
    case "revoke":
      return markMessageDeleted(ctx, id);
    case "reaction":
      return saveReaction(ctx, id, { ...change, isOneToOne: change.chat.groupId === null });
  }
}
