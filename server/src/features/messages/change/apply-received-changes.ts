import { z } from "zod";
import { lockTickets, refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isSamePerson } from "../authors.ts";
import { editMessageRow, findChangeTargets, markDeleted, reactToMessage } from "./changes.queries.ts";
import type { ChangeTarget } from "./changes.queries.ts";
import { askAdmins } from "./delete-by-admin.ts";
import { keepWaiting, takeWaiting } from "./pending-changes.queries.ts";
import { messageUpdated } from "../messages.events.ts";

const address = z.string().nullable();
const person = z.object({ phone: address, lid: address });

const changedChat = z.object({ groupId: address, phone: address, lid: address });

/** `fromMe`: of our message or of theirs. Who makes the change: `byMe`, in a group `by`. */
const target = { waId: z.string(), fromMe: z.boolean(), chat: changedChat, at: z.coerce.date() };

/** Something that happened to a message on WhatsApp's side. Kept as JSON while its message has not come. */
const receivedChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("edit"), ...target, by: person.nullable(), byMe: z.boolean(), text: z.string() }),
  z.object({ kind: z.literal("revoke"), ...target, by: person.nullable(), byMe: z.boolean() }),
  z.object({
    kind: z.literal("reaction"),
    ...target,
    emoji: z.string(),
    sender: z.string(),
    senderName: z.string(),
  }),
]);
export type ReceivedChange = z.output<typeof receivedChange>;

/**
 * Applies changes in their order, each to the message of its own chat. One that came before its message, or while that is
 * a stub, waits for it.
 */
export async function applyReceivedChanges(
  ctx: Ctx,
  connectionId: number,
  changes: readonly ReceivedChange[],
): Promise<void> {
  const targets = await findChangeTargets(ctx, connectionId, changes);
  // Tickets before messages, as everybody locks: an edit may be the last word that a list shows.
  await lockTickets(ctx, [...new Set([...targets.values()].map(({ ticketId }) => ticketId))]);

  for (const [index, change] of changes.entries()) {
    const found = targets.get(index);
    if (!found || found.isPlaceholder) {
      await keepWaiting(ctx, connectionId, change.waId, change);
    } else {
      await apply(ctx, connectionId, found, change);
    }
  }
}

/** Changes that were here before these messages. */
export async function applyPendingChanges(ctx: Ctx, connectionId: number, waIds: readonly string[]): Promise<void> {
  if (waIds.length === 0) {
    return;
  }
  const waiting = await takeWaiting(ctx, connectionId, waIds);
  if (waiting.length > 0) {
    // What an earlier release kept does not say whose chat it was made in: nothing proves that it may be applied.
    const known = waiting.flatMap(({ change }) => receivedChange.safeParse(change).data ?? []);
    await applyReceivedChanges(ctx, connectionId, known);
  }
}

async function apply(ctx: Ctx, connectionId: number, found: ChangeTarget, change: ReceivedChange): Promise<void> {
  const { id, ticketId } = found;
  const right = rightTo(found, change);
  if (right === "asAdmin" && change.kind === "revoke") {
    askAdmins(ctx, { connectionId, messageId: id, groupId: change.chat.groupId, by: change.by });
  }
  if (right === "own" && (await written(ctx, id, change))) {
    ctx.emit(messageUpdated(ticketId, id));
    if (change.kind !== "reaction") {
      await refreshLastMessagePreview(ctx, ticketId, id);
    }
  }
}

/** Everybody in a chat may react; only the author edits; the author deletes, and in a group an admin (whatsapp.md 4.9). */
function rightTo({ fromMe, participant }: ChangeTarget, change: ReceivedChange): "own" | "asAdmin" | "none" {
  if (change.kind === "reaction") {
    return "own";
  }
  const isGroup = change.chat.groupId !== null;
  if (fromMe ? change.byMe : isGroup ? isSamePerson(change.by, participant) : !change.byMe) {
    return "own";
  }
  if (change.kind !== "revoke" || !isGroup) {
    return "none";
  }
  // The company's own phone does not offer what WhatsApp would not allow it.
  return change.byMe ? "own" : "asAdmin";
}

function written(ctx: Ctx, id: number, change: ReceivedChange): Promise<boolean> {
  switch (change.kind) {
    case "edit":
      return editMessageRow(ctx, id, change.text, change.at);
    case "revoke":
      return markDeleted(ctx, id);
    case "reaction":
      return reactToMessage(ctx, id, change);
  }
}
