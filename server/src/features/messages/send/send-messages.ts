import { randomBytes, randomUUID } from "node:crypto";
import type { MediaType } from "@prosa/contract";
import { lockTicket, mustAct, mustSee, recordChatActivity } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { affinityOf, laneOf } from "../line-jobs.ts";
import { insertReadyMedia } from "../media/index.ts";
import type { StoredMedia } from "../media/index.ts";
import { timeToSend } from "../message-time.ts";
import { messageCreated } from "../messages.events.ts";
import { findByClientIds, insertOutbound, isContactBlocked } from "./send.queries.ts";

/** One message to be sent; people, the bot, notices and schedules all send through here (behaviour 3). */
export interface OutgoingMessage {
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quotedId: number | null;
  readonly file: Omit<StoredMedia, "messageId"> | null;
}

export interface SendOptions {
  /** The sender's own id: the same one again is the same message, never a second. */
  readonly clientId?: string | undefined;
  /** Greeting, notice, bot. */
  readonly isAutomatic?: boolean;
}

/** `isKnown`: these were stored before, and nothing was stored now. */
export interface SendResult {
  readonly ids: readonly number[];
  readonly isKnown: boolean;
}

/** Stores the messages as queued, both ids fixed, and leaves the rest to a job. The answer does not wait for WhatsApp. */
export async function sendMessages(
  ctx: Ctx,
  ticketId: number,
  drafts: readonly OutgoingMessage[],
  options: SendOptions = {},
): Promise<SendResult> {
  const ticket = await lockTicket(ctx, ticketId);
  const clientId = options.clientId ?? randomUUID();
  const clientIds = drafts.map((_draft, index) => (index === 0 ? clientId : `${clientId}:${index}`));
  if (options.clientId !== undefined && ticket.status !== "open") {
    const before = await known(ctx, ticketId, clientIds);
    if (before.ids.length > 0) {
      return before;
    }
  }
  const connectionId = await mayWrite(ctx, ticket);
  const sentAt = timeToSend(ctx.now(), ticket.lastMessageAt);

  const ids: number[] = [];
  for (const [index, draft] of drafts.entries()) {
    const id = await insertOutbound(ctx, {
      ...draft,
      ticketId,
      contactId: ticket.contactId,
      connectionId,
      queueId: ticket.queueId,
      userId: ctx.actor.kind === "user" ? ctx.actor.userId : null,
      waId: newWaId(),
      clientId: clientIds[index] ?? clientId,
      isAutomatic: options.isAutomatic ?? false,
      sentAt,
    });
    if (id === undefined) {
      return known(ctx, ticketId, clientIds);
    }
    if (draft.file) {
      await insertReadyMedia(ctx, { ...draft.file, messageId: id });
    }
    ids.push(id);
  }

  const last = drafts.at(-1);
  if (last) {
    const { body, mediaType, file } = last;
    const words = body === "" ? (file?.fileName ?? "") : body;
    await recordChatActivity(ctx, [
      { ticketId, at: sentAt, body: words, mediaType, fromMe: true, unread: 0, opensAt: null, opensTo: null },
    ]);
  }
  ids.forEach((id) => ctx.emit(messageCreated(ticketId, id)));
  flushChat(ctx, connectionId, ticketId);
  return { ids, isKnown: false };
}

/** Puts the sending of whatever waits in a chat into its lane. At most one such job waits. */
export function flushChat(ctx: Ctx, connectionId: number, ticketId: number): void {
  ctx.enqueue({
    task: "messages.send",
    payload: { connectionId, ticketId },
    lane: laneOf(ticketId),
    affinity: affinityOf(connectionId),
    key: `send:${ticketId}`,
    // Every kill of the process amid a send costs a try: what waits in a chat must not end among the dead letters.
    maxAttempts: 100,
  });
}

/** An id as WhatsApp's own web client makes them: 3EB0 and 18 hex digits. */
export function newWaId(): string {
  return `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;
}

/** The connection to write by. A person writes on an open ticket that is theirs to act on. */
async function mayWrite(ctx: Ctx, ticket: TicketRow): Promise<number> {
  mustSee(ctx.actor, ticket);
  if (ctx.actor.kind === "user" && ticket.status !== "open") {
    throw new AppError("ERR_TICKET_NOT_OPEN", { status: ticket.status });
  }
  mustAct(ctx.actor, ticket);
  if (ticket.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  if (await isContactBlocked(ctx, ticket.contactId)) {
    throw new AppError("ERR_CONTACT_BLOCKED");
  }
  return ticket.connectionId;
}

/** A repeated send: what was stored the first time. */
async function known(ctx: Ctx, ticketId: number, clientIds: readonly string[]): Promise<SendResult> {
  const messages = await findByClientIds(ctx, clientIds);
  if (messages.some((message) => message.ticketId !== ticketId)) {
    throw new AppError("ERR_CREATING_MESSAGE", { message: "This client id belongs to another conversation" });
  }
  return { ids: messages.map(({ id }) => id), isKnown: true };
}
