import type { MediaType } from "@prosa/contract";
import { clampReceivedTime } from "#server/features/messages/index.ts";
import type {
  ChatAddresses,
  ChangeMessage,
  Participant,
  ReceivedChange,
  ReceivedMedia,
} from "#server/features/messages/index.ts";
import type { Address, Content, InboundMessage, LineEvent, PersonRef } from "#server/whatsapp/port.ts";

/** Whose chat it is: a person under any of their addresses, or a group. */
export type Chat =
  { readonly kind: "person"; readonly person: PersonRef } | { readonly kind: "group"; readonly groupId: string };

/** A message or call, read from its event; ticket and contact are still to be found. */
export interface IncomingMessage {
  readonly chat: Chat;
  /** What the contact calls itself; empty where the words are not the contact's. */
  readonly pushName: string;
  /** The owner's chat with the own number. */
  readonly isNote: boolean;
  readonly waId: string;
  readonly fromMe: boolean;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quotedWaId: string | null;
  readonly participant: Participant | null;
  readonly isPlaceholder: boolean;
  readonly sentAt: Date;
  readonly media: Omit<ReceivedMedia, "source"> | null;
  readonly source: Readonly<Record<string, unknown>> | null;
}

/** The messages and calls of a batch, in order. A time that cannot be is `now`. */
export function parseIncomingMessages(events: readonly LineEvent[], now: Date): IncomingMessage[] {
  return events.flatMap((event) => {
    const incoming =
      event.type === "message" ? ofMessage(event.message) : event.type === "call" ? ofCall(event) : undefined;
    return incoming ? [{ ...incoming, sentAt: clampReceivedTime(incoming.sentAt, now) }] : [];
  });
}

/**
 * Each message once, at its first place: of two deliveries the one with content counts. A call is a message of its own,
 * which its later states change.
 */
export function deduplicate<T extends { readonly incoming: IncomingMessage }>(
  placed: readonly T[],
  keyOf: (each: T) => string,
) {
  const byKey = new Map<string, T>();
  for (const each of placed) {
    const key = keyOf(each);
    const earlier = byKey.get(key)?.incoming;
    if (!earlier || earlier.mediaType === "call_log" || (earlier.isPlaceholder && !each.incoming.isPlaceholder)) {
      byKey.set(key, each);
    }
  }
  return [...byKey.values()];
}

/** Edits, deletions and reactions of a batch, in order, each with the chat in which it was made. */
export function parseChanges(events: readonly LineEvent[]): ReceivedChange[] {
  return events.flatMap((event): ReceivedChange[] => {
    switch (event.type) {
      case "edit":
        return [ofEdit(event)];
      case "revoke":
        return [ofRevoke(event)];
      case "reaction": {
        const { waId, targetFromMe, emoji, byMe, sender, at } = event;
        const chat = placeOf(event);
        // our own side has one voice on WhatsApp, whoever lent it
        const who = byMe ? "" : (sender.phone ?? sender.lid ?? "unknown");
        return [
          {
            kind: "reaction",
            waId,
            chat,
            fromMe: targetFromMe,
            emoji: clean(emoji),
            sender: who,
            senderName: byMe ? "" : clean(sender.name),
            at,
          },
        ];
      }
      default:
        return [];
    }
  });
}

/** The messages that made the changes of a batch, for the stubs that stood for them. */
export function parseChangeMessages(events: readonly LineEvent[]): ChangeMessage[] {
  return events.flatMap((event): ChangeMessage[] => {
    if ((event.type !== "edit" && event.type !== "revoke" && event.type !== "reaction") || !event.changeId) {
      return [];
    }
    const by = event.type === "edit" ? event.author : event.type === "revoke" ? event.by : event.sender;
    const fromMe = event.type === "edit" ? event.fromMe : event.byMe;
    return [{ kind: event.type, waId: event.changeId, chat: placeOf(event), by, fromMe }];
  });
}

function ofEdit(event: Extract<LineEvent, { type: "edit" }>): ReceivedChange {
  const { waId, fromMe, author: by, text, at } = event;
  return { kind: "edit", waId, chat: placeOf(event), fromMe, by, byMe: fromMe, text: clean(text), at };
}

function ofRevoke(event: Extract<LineEvent, { type: "revoke" }>): ReceivedChange {
  const { waId, fromMe, by, byMe, at } = event;
  return { kind: "revoke", waId, chat: placeOf(event), fromMe, by, byMe, at };
}

function placeOf({ chat, person }: { readonly chat: Address; readonly person: PersonRef }): ChatAddresses {
  return chat.kind === "group"
    ? { groupId: chat.value, phone: null, lid: null }
    : { groupId: null, phone: person.phone, lid: person.lid };
}

export type StatusEvent = Extract<LineEvent, { type: "status" }>;

/** Ids by the state that they reached. */
export function statusEventsOf(events: readonly LineEvent[]): StatusEvent[] {
  return events.filter((event): event is StatusEvent => event.type === "status");
}

function ofMessage(message: InboundMessage): IncomingMessage {
  const { chat, person, participant, fromMe, quotedWaId, waId, at, pushName } = message;
  return {
    chat: chat.kind === "group" ? { kind: "group", groupId: chat.value } : { kind: "person", person },
    pushName: fromMe ? "" : clean(pushName),
    isNote: message.isNote ?? false,
    waId,
    fromMe,
    quotedWaId,
    participant: participant && {
      number: participant.phone ?? participant.lid ?? "",
      name: clean(participant.name),
      phone: participant.phone,
      lid: participant.lid,
    },
    sentAt: at,
    ...read(message.content),
  };
}

function ofCall({
  callId,
  person,
  pushName,
  isVideo,
  isGroup,
  state,
  at,
}: Extract<LineEvent, { type: "call" }>): IncomingMessage {
  return {
    chat: { kind: "person", person },
    pushName: clean(pushName),
    isNote: false,
    waId: `call:${callId}`,
    fromMe: false,
    mediaType: "call_log",
    body: "",
    data: { isVideo, isGroup, state },
    quotedWaId: null,
    participant: null,
    isPlaceholder: false,
    sentAt: at,
    media: null,
    source: null,
  };
}

type Read = Pick<IncomingMessage, "mediaType" | "body" | "data" | "isPlaceholder" | "media" | "source">;

const plain = { data: null, isPlaceholder: false, media: null, source: null } as const;

function read(content: Content): Read {
  switch (content.kind) {
    case "text":
      return { ...plain, mediaType: "chat", body: clean(content.text) };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const { kind, caption, fileName, source, mimeType, ...facts } = content;
      return {
        ...plain,
        mediaType: kind === "document" ? "application" : kind,
        body: clean(caption),
        media: { ...facts, mimeType: clean(mimeType), fileName: fileName === null ? null : clean(fileName) },
        source,
      };
    }
    case "location": {
      const { latitude, longitude, name, address } = content;
      const place = { latitude, longitude, name: clean(name), address: clean(address) };
      return { ...plain, mediaType: "locationMessage", body: place.name, data: place };
    }
    case "contacts": {
      const cards = content.cards.map(({ name, vcard }) => ({ name: clean(name), vcard: clean(vcard) }));
      return { ...plain, mediaType: "vcard", body: cards.map(({ name }) => name).join(", "), data: { cards } };
    }
    case "unsupported":
      return { ...plain, mediaType: "unsupported", body: "", data: { what: clean(content.what) } };
    case "undecryptable": {
      const what = content.isAbsent ? "absent" : "undecryptable";
      return { ...plain, mediaType: "unsupported", body: "", data: { what }, isPlaceholder: true };
    }
  }
}

/** What PostgreSQL cannot keep would stop the whole line: U+0000, halves of surrogate pairs. */
function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
