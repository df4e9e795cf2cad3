import { refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { lineAffinity, chatLane } from "../line-jobs.ts";
import { enqueueLinkPreview } from "../links/index.ts";
import { lockMessageToChange } from "../lock-message-to-change.ts";
import { messageUpdated } from "../messages.events.ts";
import type { MessageRow } from "../messages.queries.ts";
import { newWaId, maxSendAttempts } from "../send/index.ts";
import { clearChangeFailure, failChange } from "./change-failures.queries.ts";
import type { ChangeKind } from "./change-failures.queries.ts";
import { assertDeletable, assertEditable } from "./change-rules.ts";
import { saveEdit, markMessageDeleted, saveReaction } from "./changes.queries.ts";
import type { ChangePayload } from "./send-change.jobs.ts";

/** Replaces the text of an own message and keeps the earlier text (M-10). */
export async function editMessage(ctx: Ctx, id: number, body: string): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  assertEditable(message, ctx.now());

  if (await saveEdit(ctx, id, { body, at: ctx.now(), isReceived: false })) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastMessagePreview(ctx, message.ticketId, id);
    await enqueueLinkPreview(ctx, id, body);
    await enqueueChange(ctx, message, "edit");
  }
}

/** Deletes an own message for everyone; its row stays as a marker. */
export async function deleteMessage(ctx: Ctx, id: number): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  assertDeletable(message, ctx.now());

  if (await markMessageDeleted(ctx, id)) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastMessagePreview(ctx, message.ticketId, id);
    await enqueueChange(ctx, message, "revoke");
    await recordAudit(ctx, {
      action: "message.deleted",
      target: { type: "message", id },
      details: { ticketId: message.ticketId },
    });
  }
}

/** Sets the company's reaction to a message; an empty emoji removes it. */
export async function reactToMessage(ctx: Ctx, id: number, emoji: string): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  const name = ctx.actor.kind === "user" ? ctx.actor.name : "";

  if (await saveReaction(ctx, id, { emoji, sender: "", senderName: name, at: ctx.now() })) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await enqueueChange(ctx, message, "reaction");
  }
}

/** Retries a change that failed. ERR_NO_WAPP_FOUND if its connection was deleted. */
export async function retryChange(ctx: Ctx, message: MessageRow, kind: ChangeKind): Promise<void> {
  if (message.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  if (kind === "edit") {
    assertEditable(message, ctx.now());
  }
  if (kind === "revoke") {
    assertDeletable(message, ctx.now());
  }
  ctx.emit(messageUpdated(message.ticketId, message.id));
  await enqueueChange(ctx, message, kind);
}

/** Enqueues the job that sends a change. If the connection was deleted, the change is marked as failed. */
async function enqueueChange(ctx: Ctx, message: MessageRow, kind: ChangeKind): Promise<void> {
  if (message.connectionId === null) {
    await failChange(ctx, message.id, { kind, reason: "connectionDeleted" });
    return;
  }
  await clearChangeFailure(ctx, message.id, kind);
  // The id is fixed before the first attempt, so that WhatsApp recognises a repeated one.
  const { id: messageId, connectionId, ticketId } = message;
  enqueueChangeSend(ctx, ticketId, { messageId, connectionId, waId: newWaId(), change: { kind } });
}

/** Enqueues the job that sends a change of a message of this ticket, by the line that sent or received the message. */
export function enqueueChangeSend(ctx: Ctx, ticketId: number, payload: ChangePayload): void {
  ctx.enqueue({
    task: "messages.change",
    payload,
    lane: chatLane(payload.connectionId, ticketId),
    affinity: lineAffinity(payload.connectionId),
    // A killed process uses up an attempt as well; some are left for the job to store the failure.
    maxAttempts: 2 * maxSendAttempts,
    priority: "interactive",
  });
}
