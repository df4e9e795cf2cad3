import { randomBytes, randomUUID } from "node:crypto";
import type { MediaType } from "@prosa/contract";
import { lockTicket, mustAct, mustSee, visibleTicket } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import { chatLane, lineAffinity } from "../line-jobs.ts";
import { enqueueLinkPreview } from "../links/index.ts";
import { insertReadyMedia, setTranscript } from "../media/index.ts";
import type { StoredMedia } from "../media/index.ts";
import { clampSendTime } from "../message-time.ts";
import { messageCreated } from "../messages.events.ts";
import { markConversationRead } from "../read/index.ts";
import { findByClientIds, insertOutbound } from "./send.queries.ts";

/** A message to be sent. People, the bot, notices and schedules all send through `sendMessages` (behaviour 3). */
export interface OutgoingMessage {
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quotedId: number | null;
  readonly file: Omit<StoredMedia, "messageId"> | null;
  /** What a voice message says, in words. */
  readonly transcript?: string;
  /** Addresses in it are not fetched: others than the company and its people wrote it. */
  readonly isWithoutPreview?: boolean;
}

export interface SendOptions {
  /** The idempotency key of the sender: a second request with the same id stores nothing. */
  readonly clientId?: string | undefined;
  /** Sent by the product: a greeting, a notice, the bot. */
  readonly isAutomatic?: boolean;
  /** The user whose words the system actor sends, and for whom a reply waits (decision 0144). Default: the acting user. */
  readonly userId?: number;
  /** What that user says now, through another program: the contact waits no more (decision 0158). */
  readonly isAnswer?: boolean;
  /** How urgent the sending is. Default: a person's message is interactive, any other is the bot's. */
  readonly priority?: JobPriority | undefined;
}

/** `isDuplicate`: an earlier request with the same client id stored these messages; this one stored nothing. */
export interface SendResult {
  readonly ids: readonly number[];
  /** JSON texts of their views, with media URLs not signed yet; null where they have to be read. */
  readonly views: readonly string[] | null;
  readonly isDuplicate: boolean;
}

/**
 * Stores the messages as queued, with client id and WhatsApp id already fixed, and enqueues the job that sends them. The
 * request does not wait for WhatsApp. ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION, ERR_TICKET_NOT_OPEN, ERR_CONTACT_BLOCKED and
 * ERR_NO_WAPP_FOUND where the actor may not send, and has not sent these already.
 */
export async function sendMessages(
  ctx: Ctx,
  ticketId: number,
  messages: readonly OutgoingMessage[],
  options: SendOptions = {},
): Promise<SendResult> {
  const clientId = options.clientId ?? randomUUID();
  const clientIds = clientIdsOf(clientId, messages.length);
  const userId = authorOf(ctx, options);
  let ticket: TicketRow;
  let connectionId: number;
  try {
    ticket = await lockTicket(ctx, ticketId);
    connectionId = authorizeSend(ctx, ticket);
  } catch (refusal) {
    return findOwnDuplicates(ctx, { clientIds, userId, refusal });
  }
  const sentAt = clampSendTime(ctx.now(), ticket.lastMessageAt);
  // The bot, notices and schedules answer nobody: their contact goes on waiting for a person.
  const isAnswer = options.isAnswer ?? (ctx.actor.kind === "user" && !options.isAutomatic);
  const answeredAt = isAnswer ? sentAt : null;

  const ids: number[] = [];
  const views: string[] = [];
  for (const [index, message] of messages.entries()) {
    const newMessage = {
      ...message,
      ticketId,
      contactId: ticket.contactId,
      connectionId,
      queueId: ticket.queueId,
      userId,
      waId: newWaId(),
      clientId: clientIds[index] ?? clientId,
      isAutomatic: options.isAutomatic ?? false,
      sentAt,
    };
    const stored = await insertOutbound(ctx, newMessage, {
      preview: message.body === "" ? (message.file?.fileName ?? "") : message.body,
      answeredAt,
      awaitsReplyTo: options.userId ?? starterOf(ctx, ticket),
    });
    if (!stored) {
      return findDuplicates(ctx, ticketId, clientIds);
    }
    if (stored.isContactBlocked) {
      throw new AppError("ERR_CONTACT_BLOCKED");
    }
    if (message.file) {
      await insertReadyMedia(ctx, { ...message.file, messageId: stored.id });
      if (message.transcript !== undefined) {
        await setTranscript(ctx, stored.id, message.transcript);
      }
    } else {
      views.push(stored.view);
    }
    ids.push(stored.id);
  }

  ids.forEach((id) => ctx.emit(messageCreated(ticketId, id)));
  for (const [index, { mediaType, body, isWithoutPreview = false }] of messages.entries()) {
    const id = ids[index];
    if (mediaType === "chat" && id !== undefined && !isWithoutPreview) {
      await enqueueLinkPreview(ctx, id, body);
    }
  }
  // A person who answers has read what they answer (behaviour 1); the bot, notices and schedules have not.
  if (ctx.actor.kind === "user" && ticket.unreadMessages > 0) {
    await markConversationRead(ctx, ticket);
  }
  enqueueChatSend(ctx, { connectionId, ticketId, priority: options.priority ?? defaultPriorityOf(ctx.actor) });
  return { ids, views: views.length === ids.length ? views : null, isDuplicate: false };
}

/**
 * Checks that files may be stored for a message in this ticket: by who sees it, or who sent them already under this client id.
 * ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION.
 */
export async function mustSeeOrHaveSent(ctx: Ctx, ticketId: number, clientId: string | undefined): Promise<void> {
  try {
    await visibleTicket(ctx, ticketId);
  } catch (refusal) {
    await findOwnDuplicates(ctx, {
      clientIds: clientId === undefined ? [] : [clientId],
      userId: authorOf(ctx),
      refusal,
    });
  }
}

/** The user who is named as the sender; null for the product itself. */
function authorOf({ actor }: Ctx, options: SendOptions = {}): number | null {
  return options.userId ?? (actor.kind === "user" ? actor.userId : null);
}

/** The sender, if they started this conversation and the contact has not answered in it yet. */
function starterOf({ actor }: Ctx, { awaitedUserId }: TicketRow): number | null {
  return actor.kind === "user" && actor.userId === awaitedUserId ? awaitedUserId : null;
}

function defaultPriorityOf(actor: Actor): JobPriority {
  return actor.kind === "user" ? "interactive" : "bot";
}

export const SEND_TASK = "messages.send";

interface ChatSend {
  readonly connectionId: number;
  readonly ticketId: number;
  readonly priority: JobPriority;
  /** The ticket that the messages were of until now: what its job is sending by this line is not sent a second time. */
  readonly behindTicketId?: number;
}

/**
 * Enqueues the job that sends the queued messages of a chat by a line. The key keeps at most one such job waiting, which is as
 * urgent as its most urgent message.
 */
export function enqueueChatSend(
  ctx: Ctx,
  { connectionId, ticketId, priority, behindTicketId = ticketId }: ChatSend,
): void {
  ctx.enqueue({
    task: SEND_TASK,
    payload: { connectionId, ticketId },
    lane: chatLane(connectionId, behindTicketId),
    affinity: lineAffinity(connectionId),
    key: `send:${ticketId}:${connectionId}`,
    priority,
    // A process killed amid a send uses up an attempt: queued messages must not end as a dead job.
    maxAttempts: 100,
  });
}

/** The client ids of messages that are sent under one. */
export function clientIdsOf(clientId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? clientId : `${clientId}:${index}`));
}

/** A new message id in the format of WhatsApp Web: 3EB0 and 18 hex digits. */
export function newWaId(): string {
  return `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;
}

/** Checks that the actor may send in this ticket, and returns its connection. A person sends in an open ticket only. */
function authorizeSend(ctx: Ctx, ticket: TicketRow): number {
  mustSee(ctx.actor, ticket);
  if (ctx.actor.kind === "user" && ticket.status !== "open") {
    throw new AppError("ERR_TICKET_NOT_OPEN", { status: ticket.status });
  }
  mustAct(ctx.actor, ticket);
  if (ticket.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return ticket.connectionId;
}

/**
 * What this sender stored under these client ids before they were refused: the answer was lost, and when they asked again the ticket had
 * changed hands, was closed or merged into another, or its line was deleted. Throws the refusal where there is nothing, so that a
 * stranger's guess finds nothing out.
 */
async function findOwnDuplicates(
  ctx: Ctx,
  { clientIds, userId, refusal }: { clientIds: readonly string[]; userId: number | null; refusal: unknown },
): Promise<SendResult> {
  // After any other error the transaction is over.
  const stored = refusal instanceof AppError ? await findByClientIds(ctx, clientIds) : [];
  const own = stored.filter((message) => message.userId === userId);
  if (own.length === 0) {
    throw refusal;
  }
  return { ids: own.map(({ id }) => id), views: null, isDuplicate: true };
}

/** The messages that an earlier request stored under these client ids. */
async function findDuplicates(ctx: Ctx, ticketId: number, clientIds: readonly string[]): Promise<SendResult> {
  const stored = await findByClientIds(ctx, clientIds);
  if (stored.some((message) => message.ticketId !== ticketId)) {
    throw new AppError("ERR_CREATING_MESSAGE", { message: "This client id belongs to another conversation" });
  }
  return { ids: stored.map(({ id }) => id), views: null, isDuplicate: true };
}
