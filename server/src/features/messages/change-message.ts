import { lockTicket, mustAct, mustSee, refreshLastWords } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { clearChangeFailure, failChange } from "./change-failures.queries.ts";
import type { ChangeKind } from "./change-failures.queries.ts";
import { editMessageRow, markDeleted, reactToMessage } from "./changes.queries.ts";
import { fetchMedia } from "./fetch-media.ts";
import { findMedia, setMediaState } from "./media.queries.ts";
import { messageUpdated } from "./messages.events.ts";
import { findMessage, lockMessage, requeueMessage } from "./messages.queries.ts";
import type { MessageRow } from "./messages.queries.ts";
import { affinityOf, laneOf, mayDelete, mayEdit } from "./messages.rules.ts";
import { flushChat, newWaId } from "./send-message.ts";
import { sendTries } from "./send-tries.ts";

/** Replaces the text of an own message; the earlier one is kept (M-10). */
export async function editMessage(ctx: Ctx, id: number, body: string): Promise<void> {
  const { message } = await lockOwnSide(ctx, id);
  mayEdit(message, ctx.now());

  if (await editMessageRow(ctx, id, body, ctx.now())) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastWords(ctx, message.ticketId, id);
    await enqueueChange(ctx, message, "edit");
  }
}

/** Deletes an own message for everyone; a marker stays. */
export async function deleteMessage(ctx: Ctx, id: number): Promise<void> {
  const { message } = await lockOwnSide(ctx, id);
  mayDelete(message, ctx.now());

  if (await markDeleted(ctx, id)) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await refreshLastWords(ctx, message.ticketId, id);
    await enqueueChange(ctx, message, "revoke");
  }
}

/** Our reaction to a message; an empty one takes it back. */
export async function react(ctx: Ctx, id: number, emoji: string): Promise<void> {
  const { message } = await lockOwnSide(ctx, id);
  const name = ctx.actor.kind === "user" ? ctx.actor.name : "";

  if (await reactToMessage(ctx, id, { emoji, sender: "", senderName: name, at: ctx.now() })) {
    ctx.emit(messageUpdated(message.ticketId, id));
    await enqueueChange(ctx, message, "reaction");
  }
}

/**
 * Sends a failed message again, under the same ids, or a change of it that failed. What waits or went out already is
 * left alone; where the connection was deleted, the ticket's present one takes it over.
 */
export async function retryMessage(ctx: Ctx, id: number): Promise<void> {
  const { message, ticket } = await lockOwnSide(ctx, id);
  if (message.changeFailure) {
    return retryChange(ctx, message, message.changeFailure.kind);
  }
  if (!message.fromMe || message.ack !== -1) {
    return;
  }
  if (message.isDeleted) {
    throw new AppError("ERR_SENDING_WAPP_MSG");
  }
  const connectionId = message.connectionId ?? ticket.connectionId;
  if (connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  await requeueMessage(ctx, id, connectionId);
  ctx.emit(messageUpdated(message.ticketId, id));
  flushChat(ctx, connectionId, message.ticketId);
}

async function retryChange(ctx: Ctx, message: MessageRow, kind: ChangeKind): Promise<void> {
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

/** Fetches the file of a message once more. */
export async function refetchMedia(ctx: Ctx, id: number): Promise<void> {
  const message = await findMessage(ctx, id);
  mustSee(ctx.actor, await lockTicket(ctx, message.ticketId));
  const media = await findMedia(ctx, id);
  if (!media || message.connectionId === null) {
    throw new AppError("ERR_WAPP_DOWNLOAD_MEDIA");
  }
  if (media.state === "failed" || media.state === "expired") {
    await setMediaState(ctx, id, "wanted");
    ctx.emit(messageUpdated(message.ticketId, id));
    fetchMedia(ctx, message.connectionId, id);
  }
}

/** Only who may act on the ticket changes its messages, and only while it is open. */
async function lockOwnSide(ctx: Ctx, id: number): Promise<{ message: MessageRow; ticket: TicketRow }> {
  const { ticketId } = await findMessage(ctx, id);
  const ticket: TicketRow = await lockTicket(ctx, ticketId);
  mustAct(ctx.actor, ticket);
  if (ctx.actor.kind === "user" && ticket.status !== "open") {
    throw new AppError("ERR_TICKET_NOT_OPEN", { status: ticket.status });
  }
  return { message: await lockMessage(ctx, id), ticket };
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
