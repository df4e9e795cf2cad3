import type { Address, InboundMessage, LineEvent, PersonRef } from "../../port.ts";
import { addressOf, chatJidOf, isSelf, unknownPerson, personOf } from "../addresses.ts";
import type { Self } from "../addresses.ts";
import { contentOf, editedTextOf, quotedIdOf } from "./message-content.ts";
import { decodeMessageNode, normalizeMessageContent, proto, WAMessageStatus } from "../library.ts";
import type { BaileysEventMap, BinaryNode, WACallEvent, WAMessage, WAMessageKey } from "../library.ts";
import { unavailableMessageOf } from "./unavailable-messages.ts";
import type { UnavailableMessage } from "./unavailable-messages.ts";
import { idOf } from "./untrusted-values.ts";

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
const { CIPHERTEXT } = proto.WebMessageInfo.StubType;

/**
 * Translates a message of Baileys into neutral events. Copies all that it uses: Baileys mutates the object later
 * (whatsapp.md section 5, trap 5). `isOffline`: from the offline queue.
 */
export function messageEvents(message: WAMessage, isOffline: boolean, self: Self): LineEvent[] {
  const chatContext = chatContextOf(message, self);
  const waId = idOf(message.key.id);
  // Status broadcasts, newsletters, and messages of the own phone to its devices (`peer`) belong to no conversation.
  if (!chatContext || !waId || message.category === "peer") {
    return [];
  }
  const normalized = normalizeMessageContent(message.message ?? undefined);
  if (normalized?.protocolMessage) {
    return changeEvents(message, normalized.protocolMessage, chatContext, self);
  }
  if (normalized?.reactionMessage) {
    return reactionEvents(message, normalized.reactionMessage, chatContext);
  }

  const content = messageContent(message);
  return content ? [messageEvent(message, waId, chatContext, { isOffline, content })] : [];
}

function messageEvent(
  message: WAMessage,
  waId: string,
  { chat, person, participant, isNote }: ChatContext,
  known: Pick<InboundMessage, "isOffline" | "content">,
): LineEvent {
  return {
    type: "message",
    message: {
      ...known,
      waId,
      chat,
      person,
      fromMe: message.key.fromMe === true,
      participant,
      pushName: message.pushName ?? "",
      at: timeOf(message),
      quotedWaId: quotedIdOf(message.message),
      ...(isNote && { isNote }),
    },
  };
}

/**
 * The event of a message stanza without content (decision 0119): the library acknowledges most of them without an event,
 * so they are translated from the stanza. Empty where the library raises it itself.
 */
export function unavailableEvents(stanza: BinaryNode, account: Account): LineEvent[] {
  const unavailable = unavailableMessageOf(stanza, new Date());
  return unavailable ? stanzaEvents(stanza, account, unavailable) : [];
}

/** The event of a message that was decrypted, but whose content the library cannot handle: it is not delivered again. */
export function unreadableEvents(stanza: BinaryNode, account: Account): LineEvent[] {
  const content = { kind: "unsupported", what: "unreadable" } as const;
  return stanzaEvents(stanza, account, { waId: stanza.attrs.id ?? "", content });
}

interface Account {
  readonly id: string;
  readonly lid?: string;
}

function stanzaEvents(stanza: BinaryNode, account: Account, { waId: id, content }: UnavailableMessage): LineEvent[] {
  const decoded = decodedStanza(stanza, account);
  const waId = idOf(id);
  const chatContext = decoded && chatContextOf(decoded, personOf(account.id, account.lid));
  const isOffline = stanza.attrs.offline !== undefined;
  return decoded && chatContext && waId && decoded.category !== "peer"
    ? [messageEvent(decoded, waId, chatContext, { isOffline, content })]
    : [];
}

/** Undefined for a stanza that the library refuses to decode. */
function decodedStanza(stanza: BinaryNode, { id, lid }: Account) {
  try {
    return decodeMessageNode(stanza, id, lid ?? "").fullMessage;
  } catch {
    return undefined;
  }
}

function messageContent(message: WAMessage): InboundMessage["content"] | null {
  if (message.message) {
    return contentOf(message.message, message.key);
  }
  if (message.messageStubType === CIPHERTEXT) {
    return { kind: "undecryptable" };
  }
  // WhatsApp does not give view-once pictures to linked devices.
  return message.key.isViewOnce ? { kind: "unsupported", what: "viewOnce" } : null;
}

interface ChatContext {
  readonly chat: Address;
  readonly person: PersonRef;
  readonly participant: InboundMessage["participant"];
  /** The owner's chat with the own number. */
  readonly isNote?: boolean;
}

/** The chat of a message and the people in it, under each address that the stanza has. */
function chatContextOf({ key, pushName, participant: author }: WAMessage, self: Self): ChatContext | null {
  const chatJid = chatJidOf(key.remoteJid, key.participant || author);
  const chat = addressOf(chatJid);
  const isBroadcast = chatJid !== key.remoteJid;
  // The copy of what the owner's phone sent to a list of its own is for each of its contacts, whom nothing names.
  if (!chat || (isBroadcast && (key.fromMe || isSelf(personOf(chatJid), self)))) {
    return null;
  }
  if (chat.kind === "group") {
    const writer = personOf(key.participant || author, key.participantAlt);
    return { chat, person: unknownPerson, participant: { ...writer, name: pushName ?? "" } };
  }
  if (key.fromMe && isSelf(personOf(chatJid), self)) {
    return { chat, person: { phone: self.phone, lid: self.lid }, participant: null, isNote: true };
  }
  const alternative = isBroadcast ? key.participantAlt || key.remoteJidAlt : key.remoteJidAlt;
  const other = personOf(alternative);
  // A copy of a message from the owner's phone may have the owner's own number as the alternative JID (whatsapp.md 4.6).
  const isForeign = key.fromMe === true && isSelf(other, self);
  return { chat, person: personOf(chatJid, isForeign ? null : alternative), participant: null };
}

/** Edits and deletions are taken from their protocol message: events that Baileys derives from it come after the cut. */
function changeEvents(
  message: WAMessage,
  change: proto.Message.IProtocolMessage,
  { chat, person, participant }: ChatContext,
  self: Self,
): LineEvent[] {
  const waId = idOf(change.key?.id);
  if (!waId) {
    return [];
  }
  const own = message.key.fromMe === true;
  const made = { at: timeOf(message), changeId: message.key.id ?? "" };
  const by = participant && { phone: participant.phone, lid: participant.lid };
  if (change.type === REVOKE) {
    const fromMe = isRevokeOfOurs(message, change, chat, self);
    return [{ type: "revoke", waId, chat, person, fromMe, by, byMe: own, ...made }];
  }
  // Only the author edits a message: a key that names another author is forged.
  const text = change.type === MESSAGE_EDIT ? editedTextOf(change.editedMessage) : null;
  return text === null ? [] : [{ type: "edit", waId, chat, person, fromMe: own, author: by, text, ...made }];
}

/**
 * In a group an admin may delete messages of others: then the key names the author. In a one-to-one chat a contact cannot
 * delete our messages, whatever their client writes into the key.
 */
function isRevokeOfOurs(
  message: WAMessage,
  { key }: proto.Message.IProtocolMessage,
  chat: Address,
  self: Self,
): boolean {
  return chat.kind === "group" && key?.participant
    ? isSelf(personOf(key.participant), self)
    : message.key.fromMe === true;
}

function reactionEvents(
  message: WAMessage,
  reaction: proto.Message.IReactionMessage,
  { chat, person, participant }: ChatContext,
): LineEvent[] {
  const waId = idOf(reaction.key?.id);
  if (!waId) {
    return [];
  }
  const name = message.pushName ?? "";
  return [
    {
      type: "reaction",
      waId,
      // Baileys has turned the key to our perspective.
      targetFromMe: reaction.key?.fromMe === true,
      chat,
      person,
      emoji: reaction.text ?? "",
      byMe: message.key.fromMe === true,
      sender: participant ?? { ...person, name },
      at: timeOf(message),
      changeId: message.key.id ?? "",
    },
  ];
}

/**
 * Receipts of one-to-one chats, and own messages that Baileys raises again with a new status. A read receipt for a
 * message of the contact comes from our own devices only.
 */
export function receiptEvents(updates: BaileysEventMap["messages.update"]): LineEvent[] {
  const [own, theirs] = [updates.filter(({ key }) => key.fromMe), updates.filter(({ key }) => !key.fromMe)];
  const read = theirs.filter(({ update }) => (statusOf(update.status) ?? 0) >= 4);
  return [
    ...own.flatMap(({ key, update }): LineEvent[] => {
      const [waId, status] = [idOf(key.id), statusOf(update.status)];
      return waId && status ? [{ type: "status", waIds: [waId], status, reason: null }] : [];
    }),
    ...readEvents(read.map(({ key }) => key)),
  ];
}

export function groupReceiptEvents(updates: BaileysEventMap["message-receipt.update"], self: Self): LineEvent[] {
  const isOurs = ({ receipt }: (typeof updates)[number]) => isSelf(personOf(receipt.userJid), self);
  return [
    ...updates.flatMap((each): LineEvent[] => {
      const waId = idOf(each.key.id);
      return each.key.fromMe && waId && !isOurs(each)
        ? [{ type: "status", waIds: [waId], status: each.receipt.readTimestamp ? 3 : 2, reason: null }]
        : [];
    }),
    ...readEvents(updates.filter((each) => isOurs(each) && each.receipt.readTimestamp).map(({ key }) => key)),
  ];
}

/** One event per chat: a receipt lists all messages that were read at once. */
function readEvents(keys: readonly WAMessageKey[]): LineEvent[] {
  return [...Map.groupBy(keys, ({ remoteJid }) => remoteJid ?? "")].flatMap(([jid, group]) =>
    readEvent(
      jid,
      group.flatMap(({ id }) => idOf(id) ?? []),
    ),
  );
}

/** Chats that the owner marked as read in the list of chats: that comes by the app state, which changed at `markedAt`. */
export function readMarkEvents(chats: BaileysEventMap["chats.update"], markedAt: Date): LineEvent[] {
  return chats.flatMap(({ id, unreadCount }) => (id && unreadCount === 0 ? readEvent(id, markedAt) : []));
}

function readEvent(jid: string, upTo: readonly string[] | Date): LineEvent[] {
  const chat = addressOf(jid);
  return chat ? [{ type: "read", chat, person: personOf(jid), upTo }] : [];
}

/** Null for errors, too: refusals are taken from the acknowledgement itself, which has the code. */
function statusOf(status: unknown): 1 | 2 | 4 | 5 | null {
  switch (status) {
    case WAMessageStatus.SERVER_ACK:
      return 1;
    case WAMessageStatus.DELIVERY_ACK:
      return 2;
    case WAMessageStatus.READ:
      return 4;
    case WAMessageStatus.PLAYED:
      return 5;
    default:
      return null;
  }
}

const CALL_STATES = {
  offer: "offered",
  timeout: "missed",
  reject: "rejected",
  accept: "accepted",
  terminate: "ended",
} as const;

/** Calls of contacts, also those that another device of the owner has ended. What the owner calls is no contact's call. */
export function callEvents(calls: readonly WACallEvent[], self: Self): LineEvent[] {
  return calls.flatMap((call): LineEvent[] => {
    const state = call.status in CALL_STATES ? CALL_STATES[call.status as keyof typeof CALL_STATES] : null;
    const callId = idOf(call.id);
    const chatId = isSelf(personOf(call.chatId), self) ? null : call.chatId;
    return state && callId && !isSelf(personOf(call.from), self)
      ? [
          {
            type: "call",
            callId,
            person: personOf(call.from, chatId, call.callerPn),
            pushName: "",
            isVideo: call.isVideo === true,
            isGroup: call.isGroup === true,
            state,
            isOffline: call.offline,
            at: call.date,
          },
        ]
      : [];
  });
}

export function groupEvents(groups: readonly { readonly id?: string; readonly subject?: string }[]): LineEvent[] {
  return groups.flatMap(({ id, subject }): LineEvent[] => {
    const group = addressOf(id);
    return group?.kind === "group" && subject ? [{ type: "group", groupId: group.value, subject }] : [];
  });
}

/** `contacts.update` has many sources; only a notification about a picture sets `imgUrl` to one of these words. */
export function pictureEvents(
  changes: readonly { readonly id?: string; readonly imgUrl?: string | null }[],
): LineEvent[] {
  return changes.flatMap(({ id, imgUrl }): LineEvent[] => {
    const chat = addressOf(id);
    const isPicture = imgUrl === "changed" || imgUrl === "removed";
    return chat && isPicture ? [{ type: "picture", chat, isGone: imgUrl === "removed" }] : [];
  });
}

export function identityEvents(pairs: readonly { readonly pn: string; readonly lid: string }[]): LineEvent[] {
  return pairs.flatMap(({ pn, lid }): LineEvent[] => {
    const person = personOf(pn, lid);
    return person.phone && person.lid ? [{ type: "identity", phone: person.phone, lid: person.lid }] : [];
  });
}

/** Who is typing in a one-to-one chat; null for groups. */
export function typingOf(update: BaileysEventMap["presence.update"]): { person: PersonRef; isTyping: boolean } | null {
  const chat = addressOf(update.id);
  const presence = Object.values(update.presences)[0]?.lastKnownPresence;
  if (!chat || chat.kind === "group" || presence === undefined) {
    return null;
  }
  return { person: personOf(update.id), isTyping: presence === "composing" || presence === "recording" };
}

function timeOf({ messageTimestamp }: WAMessage): Date {
  return new Date(Number(messageTimestamp ?? 0) * 1_000);
}
