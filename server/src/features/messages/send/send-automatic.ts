import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { enqueueLinkPreview } from "../links/index.ts";
import { insertReadyMedia } from "../media/index.ts";
import { clampSendTime } from "../message-time.ts";
import { messageCreated } from "../messages.events.ts";
import { clientIdsOf, enqueueChatSend, newWaId } from "./send-messages.ts";
import type { OutgoingMessage } from "./send-messages.ts";
import { findByClientIds, insertAutomatic } from "./send.queries.ts";
import type { NewAutomaticMessage } from "./send.queries.ts";

/** What the product sends to one chat. */
export interface AutomaticSending {
  /** Locked by the caller. */
  readonly ticket: Pick<TicketRow, "id" | "contactId" | "connectionId" | "queueId" | "lastMessageAt">;
  /** At least one; none quotes another. */
  readonly messages: readonly OutgoingMessage[];
  /** The idempotency key: what was stored under it is not stored again. */
  readonly clientId: string;
  readonly priority: JobPriority;
}

/**
 * Stores messages of the product to several chats as queued, in one statement, and enqueues what sends them; as `sendMessages`
 * for one chat. Returns the ids by chat; of one that is stored already those of then. Throws ERR_NO_WAPP_FOUND, ERR_CONTACT_BLOCKED,
 * and ERR_CREATING_MESSAGE where the key belongs to another chat.
 */
export async function sendAutomatic(
  ctx: Ctx,
  sendings: readonly AutomaticSending[],
): Promise<readonly (readonly number[])[]> {
  const rows = sendings.map((sending) => rowsOf(ctx, sending));
  const stored = await insertAutomatic(ctx, rows.flat());
  if (stored.some(({ isContactBlocked }) => isContactBlocked)) {
    throw new AppError("ERR_CONTACT_BLOCKED");
  }
  const ids = new Map(stored.map(({ clientId, id }) => [clientId, id]));
  const files: Promise<void>[] = [];
  for (const [index, { ticket, messages, priority }] of sendings.entries()) {
    for (const [at, { clientId, connectionId }] of rows[index]!.entries()) {
      const id = ids.get(clientId);
      const { file, mediaType, body } = messages[at]!;
      if (id !== undefined) {
        if (file) {
          files.push(insertReadyMedia(ctx, { ...file, messageId: id }));
        }
        ctx.emit(messageCreated(ticket.id, id));
        if (mediaType === "chat") {
          await enqueueLinkPreview(ctx, id, body);
        }
        enqueueChatSend(ctx, { connectionId, ticketId: ticket.id, priority });
      }
    }
  }
  // In one round trip.
  await Promise.all(files);
  await addEarlier(ctx, rows.flat(), ids);
  return rows.map((ofChat) => ofChat.flatMap(({ clientId }) => ids.get(clientId) ?? []));
}

function rowsOf(ctx: Ctx, { ticket, messages, clientId }: AutomaticSending): NewAutomaticMessage[] {
  const { id, contactId, connectionId, queueId, lastMessageAt } = ticket;
  if (connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  const clientIds = clientIdsOf(clientId, messages.length);
  const sentAt = clampSendTime(ctx.now(), lastMessageAt);
  return messages.map(({ mediaType, body, data, file }, index) => ({
    ticketId: id,
    contactId,
    connectionId,
    queueId,
    waId: newWaId(),
    clientId: clientIds[index]!,
    mediaType,
    body,
    data,
    sentAt,
    preview: body === "" ? (file?.fileName ?? "") : body,
  }));
}

/** Adds the messages that were stored under their client ids before. */
async function addEarlier(ctx: Ctx, rows: readonly NewAutomaticMessage[], ids: Map<string, number>): Promise<void> {
  const missing = new Map(
    rows.flatMap((row) => (ids.has(row.clientId) ? [] : [[row.clientId, row.ticketId] as const])),
  );
  for (const earlier of missing.size === 0 ? [] : await findByClientIds(ctx, [...missing.keys()])) {
    if (earlier.ticketId !== missing.get(earlier.clientId)) {
      throw new AppError("ERR_CREATING_MESSAGE", { message: "This client id belongs to another conversation" });
    }
    ids.set(earlier.clientId, earlier.id);
  }
}
