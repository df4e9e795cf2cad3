import type { AssistantKinds } from "#server/features/bot/index.ts";
import type { Ingest } from "#server/features/connections/index.ts";
import { applyPictureChanges } from "#server/features/contacts/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { notifyDevices } from "#server/features/devices/index.ts";
import {
  advanceAcks,
  applyPendingChanges,
  applyReceivedChanges,
  enqueueLinkPreview,
  enqueueMediaDownload,
  failMessages,
  fillChangePlaceholders,
  mediaSourceContext,
  messageCreated,
  messageUpdated,
  recordReceived,
} from "#server/features/messages/index.ts";
import type { StoredMessage } from "#server/features/messages/index.ts";
import { withoutErasedPeople } from "#server/features/privacy/index.ts";
import { isEnabled } from "#server/features/settings/index.ts";
import {
  assignmentAfter,
  findOrCreateTickets,
  recordTicketActivity,
  ticketUpdated,
} from "#server/features/tickets/index.ts";
import type { ChatTicket } from "#server/features/tickets/index.ts";
import type { Signer, Vault } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { applyPhoneReads } from "./apply-phone-reads.ts";
import { sendAutomaticReplies } from "./automatic-replies.ts";
import { readReopenMs, summarizeChats } from "./chat-activity.ts";
import type { InboundChat, NewMessage } from "./chat-activity.ts";
import { answerOptOutWords, recordOptOutWords } from "./opt-out-words.ts";
import {
  parseChangeMessages,
  parseChanges,
  deduplicate,
  parseIncomingMessages,
  statusEventsOf,
} from "./parse-line-events.ts";
import type { IncomingMessage, StatusEvent } from "./parse-line-events.ts";
import { enqueuePlaceholderTimeouts, recordLateRatings } from "./pending-placeholders.ts";
import { chatKey, recordContacts } from "./record-contacts.ts";
import type { ContactIds } from "./record-contacts.ts";
import { takeRepliesToCampaigns } from "./campaign-replies.ts";
import { rejectCalls } from "./reject-calls.ts";
import { findStoredCalls } from "./stored-calls.queries.ts";

export interface InboundDeps {
  readonly vault: Vault;
  /** Recognizes people who were erased. Default: nobody is. */
  readonly signer?: Signer;
  readonly contacts: ContactResolver;
  /** The kinds of assistants that may take over a conversation. Default none. */
  readonly assistants?: AssistantKinds;
  /** Sends no automatic reply and rejects no call: for tests and seeds that send every answer themselves. Default false. */
  readonly isSilent?: boolean;
}

/**
 * Ingests a batch of events of a line, in the caller's transaction. Each step handles the whole batch, so that a burst costs
 * few statements; a single message of a known contact costs three. Lock order of the steps: contacts, tickets by id, messages.
 */
export function createIngest({ vault, signer, contacts, assistants = [], isSilent = false }: InboundDeps): Ingest {
  return async (ctx, connectionId, events) => {
    await linkIdentities(ctx, connectionId, contacts, events);
    await applyGroupSubjects(ctx, connectionId, contacts, events);
    await applyPictureChanges(ctx, connectionId, events);

    const shown = await withoutIgnoredGroups(ctx, parseIncomingMessages(events, ctx.now()));
    const received = await withoutStrayCallEnds(ctx, connectionId, shown);
    const incoming = signer ? await withoutErasedPeople(ctx, signer, received, peopleOf) : received;
    const { contactIds, lockedTickets } = await recordContacts(ctx, connectionId, contacts, incoming);
    const tickets = await findOrCreateChatTickets(ctx, connectionId, incoming, contactIds, lockedTickets);
    const newMessages = await recordMessages(ctx, connectionId, vault, { incoming, contactIds, tickets });
    enqueueMediaDownloads(ctx, connectionId, newMessages);
    await enqueueLinkPreviews(ctx, newMessages);
    enqueuePlaceholderTimeouts(ctx, newMessages);
    const lateRatings = await recordLateRatings(ctx, newMessages);
    const words = await recordOptOutWords(ctx, connectionId, newMessages, assistants);
    const campaignAnswers = await takeRepliesToCampaigns(ctx, newMessages, words, statusEventsOf(events));
    const chats = summarizeChats(
      newMessages,
      newMessages.some(({ ticket }) => ticket.status === "closed") ? await readReopenMs(ctx) : 0,
      new Set([...lateRatings, ...words.settled, ...campaignAnswers]),
    );
    await Promise.all([
      saveChatActivity(ctx, chats, newMessages),
      applyPendingChangesTo(ctx, connectionId, newMessages),
    ]);
    if (!isSilent) {
      await rejectCalls(ctx, connectionId, events, newMessages);
      await answerOptOutWords(ctx, connectionId, words.outcomes);
      await sendAutomaticReplies(ctx, connectionId, chats, assistants);
    }

    await applyReceivedChanges(ctx, connectionId, await withoutIgnoredGroups(ctx, parseChanges(events)));
    await fillChangePlaceholders(ctx, connectionId, parseChangeMessages(events));
    await applyPhoneReads(ctx, connectionId, events);
    await advanceMessageStates(ctx, connectionId, statusEventsOf(events));
  };
}

async function linkIdentities(ctx: Ctx, connectionId: number, contacts: ContactResolver, events: readonly LineEvent[]) {
  for (const event of events) {
    if (event.type === "identity") {
      await contacts.linkPhoneAndLid(ctx, connectionId, event.phone, event.lid);
    }
  }
}

async function applyGroupSubjects(
  ctx: Ctx,
  connectionId: number,
  contacts: ContactResolver,
  events: readonly LineEvent[],
) {
  for (const event of events) {
    if (event.type === "group" && !(await isEnabled(ctx, "CheckMsgIsGroup"))) {
      await contacts.nameGroup(ctx, connectionId, event.groupId, event.subject);
    }
  }
}

/** Whose words a message has: the contact's, or in a group its author's. */
function peopleOf({ chat, participant }: IncomingMessage): (string | null)[] {
  const people = [chat.kind === "person" ? chat.person : null, participant];
  return people.flatMap((person) => (person ? [person.phone, person.lid] : []));
}

/** Behaviour 5, rule 1: groups are ignored when CheckMsgIsGroup is enabled, and so are their calls, which name the caller alone. */
async function withoutIgnoredGroups<T extends { readonly chat: object; readonly call?: IncomingMessage["call"] }>(
  ctx: Ctx,
  received: readonly T[],
): Promise<readonly T[]> {
  const isInGroup = ({ chat, call }: T) => ("groupId" in chat && chat.groupId !== null) || call?.isGroup === true;
  return received.some(isInGroup) && (await isEnabled(ctx, "CheckMsgIsGroup"))
    ? received.filter((each) => !isInGroup(each))
    : received;
}

/**
 * Without the ends of calls that are in no conversation: a group's that is ignored, or one of the owner's own. A missed call is kept, and
 * so is any end from the offline queue: of a call that rang while the line was away only its end may come, whoever hung up.
 */
async function withoutStrayCallEnds(
  ctx: Ctx,
  connectionId: number,
  received: readonly IncomingMessage[],
): Promise<readonly IncomingMessage[]> {
  const isEnd = ({ call }: IncomingMessage) =>
    call !== null && !call.isOffline && call.state !== "offered" && call.state !== "missed";
  const ends = received.filter(isEnd).map(({ waId }) => waId);
  if (ends.length === 0) {
    return received;
  }
  const known = new Set([
    ...received.filter((each) => !isEnd(each)).map(({ waId }) => waId),
    ...(await findStoredCalls(ctx, connectionId, ends)),
  ]);
  return received.filter((each) => !isEnd(each) || known.has(each.waId));
}

/** The ticket of each contact, found or created, and locked: batches of one chat run one after another. */
async function findOrCreateChatTickets(
  ctx: Ctx,
  connectionId: number,
  incoming: readonly IncomingMessage[],
  contactIds: ContactIds,
  locked: ReadonlyMap<number, ChatTicket>,
): Promise<ReadonlyMap<number, ChatTicket>> {
  const chats = new Map<number, { readonly contactId: number; readonly isGroup: boolean; readonly at: Date }>();
  for (const { chat, sentAt } of incoming) {
    const contactId = contactIds.get(chatKey(chat));
    if (contactId !== undefined && !chats.has(contactId)) {
      chats.set(contactId, { contactId, isGroup: chat.kind === "group", at: sentAt });
    }
  }
  return chats.size === 0 ? new Map() : findOrCreateTickets(ctx, connectionId, [...chats.values()], locked);
}

interface Batch {
  readonly incoming: readonly IncomingMessage[];
  readonly contactIds: ContactIds;
  readonly tickets: ReadonlyMap<number, ChatTicket>;
}

/** Stores the messages. Returns the new ones and the placeholders that got their content, without messages stored before. */
async function recordMessages(ctx: Ctx, connectionId: number, vault: Vault, batch: Batch): Promise<NewMessage[]> {
  const withTicket = batch.incoming.flatMap((incoming) => {
    const ticket = batch.tickets.get(batch.contactIds.get(chatKey(incoming.chat)) ?? 0);
    return ticket ? [{ incoming, ticket }] : [];
  });
  // Key by contact: a person's number and LID are one chat.
  const unique = deduplicate(withTicket, ({ incoming, ticket }) => keyOf({ ...incoming, contactId: ticket.contactId }));
  const stored = await recordReceived(
    ctx,
    connectionId,
    unique.map(({ incoming, ticket }) => {
      const { chat: _chat, pushName: _pushName, isNote: _isNote, isQuarantined: _isQuarantined, ...content } = incoming;
      const { media, source, call: _call, ...message } = content;
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
  return unique.flatMap(({ incoming, ticket }) => {
    const message = storedByKey.get(keyOf({ ...incoming, contactId: ticket.contactId }));
    return message ? [{ incoming, ticket, message }] : [];
  });
}

function keyOf({ contactId, waId, fromMe }: Pick<StoredMessage, "contactId" | "waId" | "fromMe">): string {
  return `${contactId} ${fromMe} ${waId}`;
}

/** Saves last-message previews, unread counters and reopened tickets, emits the events, and notifies devices. */
async function saveChatActivity(
  ctx: Ctx,
  chats: readonly InboundChat[],
  newMessages: readonly NewMessage[],
): Promise<void> {
  for (const { ticket, activity } of chats) {
    const after = assignmentAfter(activity);
    if (after) {
      ctx.emit(ticketUpdated(ticket.id, ticket, after));
    }
  }
  for (const { ticket, message } of newMessages) {
    ctx.emit(message.isNew ? messageCreated(ticket.id, message.id) : messageUpdated(ticket.id, message.id));
  }
  recordTicketActivity(
    ctx,
    chats.map(({ activity }) => activity),
  );
  const incoming = newMessages.filter(({ incoming: { fromMe }, message }) => message.isNew && !fromMe);
  await notifyDevices(
    ctx,
    incoming.map(({ message }) => message.id),
  );
}

/** Media is downloaded by a job: a message never waits for its file (behaviour 3). */
function enqueueMediaDownloads(ctx: Ctx, connectionId: number, newMessages: readonly NewMessage[]): void {
  for (const { incoming, message } of newMessages) {
    if (incoming.source) {
      enqueueMediaDownload(ctx, connectionId, message.id);
    }
  }
}

/** Addresses whose preview did not come with the message; nothing of a page is fetched before the commit. */
async function enqueueLinkPreviews(ctx: Ctx, newMessages: readonly NewMessage[]): Promise<void> {
  for (const { incoming, message } of newMessages) {
    if (incoming.mediaType === "chat" && incoming.link === null) {
      await enqueueLinkPreview(ctx, message.id, incoming.body);
    }
  }
}

/** Applies edits, deletions and reactions that arrived before their message. */
function applyPendingChangesTo(ctx: Ctx, connectionId: number, newMessages: readonly NewMessage[]): Promise<void> {
  const affected = newMessages.filter(({ message }) => message.hasPendingChanges);
  return applyPendingChanges(ctx, connectionId, [...new Set(affected.map(({ incoming }) => incoming.waId))]);
}

/** Applies delivery states, lower ones first, so that several of one message in a batch end at the highest. */
async function advanceMessageStates(ctx: Ctx, connectionId: number, events: readonly StatusEvent[]): Promise<void> {
  const alike = Map.groupBy(events, ({ status, reason }) => `${status} ${reason}`);
  for (const group of [...alike.values()].toSorted(([a], [b]) => (a?.status ?? 0) - (b?.status ?? 0))) {
    const { status, reason } = group[0]!;
    const waIds = [...new Set(group.flatMap((event) => event.waIds))];
    await (status === -1
      ? failMessages(ctx, connectionId, waIds, reason ?? "refused")
      : advanceAcks(ctx, connectionId, waIds, status));
  }
}
