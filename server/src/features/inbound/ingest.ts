import type { Ingest } from "#server/features/connections/index.ts";
import { applyPictureChanges } from "#server/features/contacts/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { ringDevices } from "#server/features/devices/index.ts";
import {
  advanceAcks,
  applyPendingChanges,
  applyReceivedChanges,
  enqueueMediaDownload,
  failMessages,
  fillChangePlaceholders,
  mediaSourceContext,
  messageCreated,
  messageUpdated,
  recordReceived,
} from "#server/features/messages/index.ts";
import type { StoredMessage } from "#server/features/messages/index.ts";
import { isEnabled, settingOf } from "#server/features/settings/index.ts";
import { findOrCreateTickets, recordChatActivity, ticketUpdated } from "#server/features/tickets/index.ts";
import type { ChatTicket } from "#server/features/tickets/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { sendAutomaticReplies } from "./automatic-replies.ts";
import { enqueuePendingPlaceholders, recordLateRatings } from "./pending-placeholders.ts";
import {
  parseChangeMessages,
  parseChanges,
  deduplicate,
  parseIncomingMessages,
  statusEventsOf,
} from "./parse-line-events.ts";
import type { IncomingMessage, StatusEvent } from "./parse-line-events.ts";
import { applyPhoneReads } from "./apply-phone-reads.ts";
import { chatKey, recordContacts } from "./record-contacts.ts";
import type { ContactIds } from "./record-contacts.ts";
import { rejectCalls } from "./reject-calls.ts";
import { summarizeChats } from "./chat-activity.ts";
import type { InboundChat, NewMessage } from "./chat-activity.ts";

export interface InboundDeps {
  readonly vault: Vault;
  readonly contacts: ContactResolver;
  /** For a story that tells every answer itself: nothing is said automatically. Default false. */
  readonly isSilent?: boolean;
}

/**
 * Everything that comes in by a line, as a table of contents. Each step takes the whole batch, so that a burst costs
 * few statements; a message alone costs five. Steps lock in one order: contacts, tickets by id, messages.
 */
export function createIngest({ vault, contacts, isSilent = false }: InboundDeps): Ingest {
  return async (ctx, connectionId, events) => {
    await joinIdentities(ctx, connectionId, contacts, events);
    await nameGroups(ctx, connectionId, contacts, events);
    await applyPictureChanges(ctx, connectionId, events);

    const incoming = await withoutIgnoredGroups(ctx, parseIncomingMessages(events, ctx.now()));
    const contactIds = await recordContacts(ctx, connectionId, contacts, incoming);
    const tickets = await openTickets(ctx, connectionId, incoming, contactIds);
    const news = await recordMessages(ctx, connectionId, vault, { incoming, contactIds, tickets });
    fetchFiles(ctx, connectionId, news);
    enqueuePendingPlaceholders(ctx, news);
    const chats = summarizeChats(news, await reopenWithin(ctx, news), await recordLateRatings(ctx, news));
    await Promise.all([countTraffic(ctx, chats, news), applyEarlyChanges(ctx, connectionId, news)]);
    if (!isSilent) {
      await rejectCalls(ctx, connectionId, events, news);
      await sendAutomaticReplies(ctx, connectionId, chats);
    }

    await applyReceivedChanges(ctx, connectionId, await withoutIgnoredGroups(ctx, parseChanges(events)));
    await fillChangePlaceholders(ctx, connectionId, parseChangeMessages(events));
    await applyPhoneReads(ctx, connectionId, events);
    await advanceStates(ctx, connectionId, statusEventsOf(events));
  };
}

async function joinIdentities(ctx: Ctx, connectionId: number, contacts: ContactResolver, events: readonly LineEvent[]) {
  for (const event of events) {
    if (event.type === "identity") {
      await contacts.linkPhoneAndLid(ctx, connectionId, event.phone, event.lid);
    }
  }
}

async function nameGroups(ctx: Ctx, connectionId: number, contacts: ContactResolver, events: readonly LineEvent[]) {
  for (const event of events) {
    if (event.type === "group" && !(await isEnabled(ctx, "CheckMsgIsGroup"))) {
      await contacts.nameGroup(ctx, connectionId, event.groupId, event.subject);
    }
  }
}

/** Behaviour 5, rule 1: groups are ignored when CheckMsgIsGroup is enabled. */
async function withoutIgnoredGroups<T extends { readonly chat: object }>(
  ctx: Ctx,
  said: readonly T[],
): Promise<readonly T[]> {
  const isInGroup = ({ chat }: T) => "groupId" in chat && chat.groupId !== null;
  return said.some(isInGroup) && (await isEnabled(ctx, "CheckMsgIsGroup"))
    ? said.filter((each) => !isInGroup(each))
    : said;
}

/** One ticket for each contact, locked: messages of a chat go through here one batch after the other. */
async function openTickets(
  ctx: Ctx,
  connectionId: number,
  incoming: readonly IncomingMessage[],
  contactIds: ContactIds,
): Promise<ReadonlyMap<number, ChatTicket>> {
  const chats = new Map<number, { readonly contactId: number; readonly isGroup: boolean; readonly at: Date }>();
  for (const { chat, sentAt } of incoming) {
    const contactId = contactIds.get(chatKey(chat));
    if (contactId !== undefined && !chats.has(contactId)) {
      chats.set(contactId, { contactId, isGroup: chat.kind === "group", at: sentAt });
    }
  }
  return chats.size === 0 ? new Map() : findOrCreateTickets(ctx, connectionId, [...chats.values()]);
}

interface Batch {
  readonly incoming: readonly IncomingMessage[];
  readonly contactIds: ContactIds;
  readonly tickets: ReadonlyMap<number, ChatTicket>;
}

/** Stores the messages; what was there before is no news. */
async function recordMessages(ctx: Ctx, connectionId: number, vault: Vault, batch: Batch): Promise<NewMessage[]> {
  const known = batch.incoming.flatMap((incoming) => {
    const ticket = batch.tickets.get(batch.contactIds.get(chatKey(incoming.chat)) ?? 0);
    return ticket ? [{ incoming, ticket }] : [];
  });
  // By contact: the addresses of one person are one chat.
  const placed = deduplicate(known, ({ incoming, ticket }) => keyOf({ ...incoming, contactId: ticket.contactId }));
  const stored = await recordReceived(
    ctx,
    connectionId,
    placed.map(({ incoming, ticket }) => {
      const { chat: _chat, pushName: _pushName, isNote: _isNote, media, source, ...message } = incoming;
      const sealed = source && vault.seal(JSON.stringify(source), mediaSourceContext(connectionId));
      return {
        ...message,
        ticketId: ticket.id,
        contactId: ticket.contactId,
        queueId: ticket.queueId,
        isRead: incoming.fromMe || ticket.isBlocked,
        media: media && sealed && { ...media, source: sealed },
      };
    }),
  );
  const storedByKey = new Map(stored.map((message): [string, StoredMessage] => [keyOf(message), message]));
  return placed.flatMap(({ incoming, ticket }) => {
    const message = storedByKey.get(keyOf({ ...incoming, contactId: ticket.contactId }));
    return message ? [{ incoming, ticket, message }] : [];
  });
}

function keyOf({ contactId, waId, fromMe }: Pick<StoredMessage, "contactId" | "waId" | "fromMe">): string {
  return `${contactId} ${fromMe} ${waId}`;
}

/** How long after its end a conversation is taken up by the same agent, in ms; 0 where that is not wished. */
async function reopenWithin(ctx: Ctx, news: readonly NewMessage[]): Promise<number> {
  const mayOpen = news.some(({ ticket }) => ticket.status === "closed");
  return mayOpen ? Number(await settingOf(ctx, "reopenToAgentMinutes")) * 60_000 : 0;
}

/** Last words, unread counters, and tickets that wait again; then everybody is told. */
async function countTraffic(ctx: Ctx, chats: readonly InboundChat[], news: readonly NewMessage[]): Promise<void> {
  await recordChatActivity(
    ctx,
    chats.map(({ record }) => record),
  );
  for (const { ticket, record } of chats) {
    if (record.opensAt) {
      const waiting = { status: "pending", queueId: null, userId: null } as const;
      ctx.emit(ticketUpdated(ticket.id, ticket, record.opensTo ? { status: "open", ...record.opensTo } : waiting));
    }
  }
  for (const { ticket, message } of news) {
    ctx.emit(message.isNew ? messageCreated(ticket.id, message.id) : messageUpdated(ticket.id, message.id));
  }
  const incoming = news.filter(({ incoming: { fromMe }, message }) => message.isNew && !fromMe);
  await ringDevices(
    ctx,
    incoming.map(({ message }) => message.id),
  );
}

/** A message never waits for its file (behaviour 3). */
function fetchFiles(ctx: Ctx, connectionId: number, news: readonly NewMessage[]): void {
  for (const { incoming, message } of news) {
    if (incoming.source) {
      enqueueMediaDownload(ctx, connectionId, message.id);
    }
  }
}

/** Edits, deletions and reactions that were here before their message. */
function applyEarlyChanges(ctx: Ctx, connectionId: number, news: readonly NewMessage[]): Promise<void> {
  const awaited = news.filter(({ message }) => message.hasPendingChanges);
  return applyPendingChanges(ctx, connectionId, [...new Set(awaited.map(({ incoming }) => incoming.waId))]);
}

/** Lower states first, so that several of one batch end where the highest is. */
async function advanceStates(ctx: Ctx, connectionId: number, events: readonly StatusEvent[]): Promise<void> {
  const alike = Map.groupBy(events, ({ status, reason }) => `${status} ${reason}`);
  for (const group of [...alike.values()].toSorted(([a], [b]) => (a?.status ?? 0) - (b?.status ?? 0))) {
    const { status, reason } = group[0]!;
    const waIds = [...new Set(group.flatMap((event) => event.waIds))];
    const moved =
      status === -1
        ? await failMessages(ctx, connectionId, waIds, reason ?? "refused")
        : await advanceAcks(ctx, connectionId, waIds, status);
    moved.forEach(({ id, ticketId }) => ctx.emit(messageUpdated(ticketId, id)));
  }
}
