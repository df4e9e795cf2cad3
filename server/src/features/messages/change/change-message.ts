import { refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { affinityOf, laneOf } from "../line-jobs.ts";
import { lockMessageToChange } from "../lock-message-to-change.ts";
import { messageUpdated } from "../messages.events.ts";
import type { MessageRow } from "../messages.queries.ts";
import { newWaId, sendTries } from "../send/index.ts";
import { clearChangeFailure, failChange } from "./change-failures.queries.ts";
import type { ChangeKind } from "./change-failures.queries.ts";
import { mayDelete, mayEdit } from "./change-rules.ts";
import { editMessageRow, markDeleted, reactToMessage } from "./changes.queries.ts";

/** Replaces the text of an own message; the earlier one is kept (M-10). */
export async function editMessage(ctx: Ctx, id: number, body: string): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  mayEdit(message, ctx.now());

  if (await editMessageRow(ctx, id, body, ctx.now())) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastMessagePreview(ctx, message.ticketId, id);
    await enqueueChange(ctx, message, "edit");
  }
}

/** Deletes an own message for everyone; a marker stays. */
export async function deleteMessage(ctx: Ctx, id: number): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  mayDelete(message, ctx.now());

  if (await markDeleted(ctx, id)) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastMessagePreview(ctx, message.ticketId, id);
    await enqueueChange(ctx, message, "revoke");
  }
}

/** Our reaction to a message; an empty one takes it back. */
export async function react(ctx: Ctx, id: number, emoji: string): Promise<void> {
  const { message } = await lockMessageToChange(ctx, id);
  const name = ctx.actor.kind === "user" ? ctx.actor.name : "";

  if (await reactToMessage(ctx, id, { emoji, sender: "", senderName: name, at: ctx.now() })) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await enqueueChange(ctx, message, "reaction");
  }
}

/** Sends a change that failed once more. */
export async function retryChange(ctx: Ctx, message: MessageRow, kind: ChangeKind): Promise<void> {
  if (message.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  if (kind === "edit") {
    mayEdit(message, ctx.now());
  }
  if (kind === "revoke") {
    mayDelete(message, ctx.now());
  }
  ctx.emit(messageUpdated(message.ticketId, message.id));
  await enqueueChange(ctx, message, kind);
}

/** A change whose connection was deleted goes nowhere, and the person is told so. */
async function enqueueChange(ctx: Ctx, message: MessageRow, kind: ChangeKind): Promise<void> {
  if (message.connectionId === null) {
    await failChange(ctx, message.id, { kind, reason: "connectionDeleted" });
    return;
  }
  await clearChangeFailure(ctx, message.id, kind);
  ctx.enqueue({
    task: "messages.change",
    // chosen before sending and kept over every retry
    payload: { messageId: message.id, connectionId: message.connectionId, waId: newWaId(), change: { kind } },
    lane: laneOf(message.ticketId),
    affinity: affinityOf(message.connectionId),
    // Each kill of the process costs a try as well, and one is left to say that it failed.
    maxAttempts: 2 * sendTries,
  });
}
