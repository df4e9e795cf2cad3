import type { MediaType } from "@prosa/contract";
import { firstLink } from "@prosa/contract/links";
import { clampReceivedTime, oneLine } from "#server/features/messages/index.ts";
import type {
  ChatAddresses,
  ChangeMessage,
  Participant,
  ReceivedChange,
  ReceivedLink,
  ReceivedMedia,
} from "#server/features/messages/index.ts";
import { storableText } from "#server/platform/storable-text.ts";
import type { Address, Content, InboundMessage, LineEvent, PersonRef, SentLinkPreview } from "#server/whatsapp/port.ts";

/** A chat: a person under any of their addresses, or a group. */
export type Chat =
  { readonly kind: "person"; readonly person: PersonRef } | { readonly kind: "group"; readonly groupId: string };

/** A message or call, parsed from its event; its contact and ticket are not known yet. */
export interface IncomingMessage {
  readonly chat: Chat;
  /** Name that the contact chose; empty for a message of ours. */
  readonly pushName: string;
  /** Is it the owner's chat with their own number? */
  readonly isNote: boolean;
  readonly isQuarantined: boolean;
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
  readonly link: ReceivedLink | null;
  /** Of a call. */
  readonly call: Pick<CallEvent, "state" | "isGroup" | "isOffline"> | null;
}

type CallEvent = Extract<LineEvent, { type: "call" }>;

/** The messages and calls of a batch, in order. Their times are limited by `clampReceivedTime`. */
export function parseIncomingMessages(events: readonly LineEvent[], now: Date): IncomingMessage[] {
  return events.flatMap((event) => {
    const incoming =
      event.type === "message" ? parseMessage(event.message) : event.type === "call" ? parseCall(event) : undefined;
    return incoming ? [{ ...incoming, sentAt: clampReceivedTime(incoming.sentAt, now) }] : [];
  });
}

/**
 * Each message once, at its first position: of two deliveries the one with content is kept, and of a call the latest state.
 */
export function deduplicate<T extends { readonly incoming: IncomingMessage }>(
  received: readonly T[],
  keyOf: (each: T) => string,
) {
  const byKey = new Map<string, T>();
  for (const each of received) {
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
        return [parseEdit(event)];
      case "revoke":
        return [parseRevoke(event)];
      case "reaction": {
        const { waId, targetFromMe, emoji, byMe, sender, at } = event;
        const chat = changedChatOf(event);
        // All our devices react as one sender on WhatsApp.
        const reactedBy = byMe ? "" : (sender.phone ?? sender.lid ?? "unknown");
        return [
          {
            kind: "reaction",
            waId,
            chat,
            fromMe: targetFromMe,
            emoji: storableText(emoji),
            sender: reactedBy,
            alias: byMe ? null : sender.lid,
            senderName: byMe ? "" : storableText(sender.name),
            at,
          },
        ];
      }
      default:
        return [];
    }
  });
}

/** The messages that carried the changes of a batch, for placeholders that stand in their place. */
export function parseChangeMessages(events: readonly LineEvent[]): ChangeMessage[] {
  return events.flatMap((event): ChangeMessage[] => {
    if ((event.type !== "edit" && event.type !== "revoke" && event.type !== "reaction") || !event.changeId) {
      return [];
    }
    const by = event.type === "edit" ? event.author : event.type === "revoke" ? event.by : event.sender;
    const fromMe = event.type === "edit" ? event.fromMe : event.byMe;
    return [{ kind: event.type, waId: event.changeId, chat: changedChatOf(event), by, fromMe }];
  });
}

function parseEdit(event: Extract<LineEvent, { type: "edit" }>): ReceivedChange {
  const { waId, fromMe, author: by, text, at } = event;
  return { kind: "edit", waId, chat: changedChatOf(event), fromMe, by, byMe: fromMe, text: storableText(text), at };
}

function parseRevoke(event: Extract<LineEvent, { type: "revoke" }>): ReceivedChange {
  const { waId, fromMe, by, byMe, at } = event;
  return { kind: "revoke", waId, chat: changedChatOf(event), fromMe, by, byMe, at };
}

function changedChatOf({ chat, person }: { readonly chat: Address; readonly person: PersonRef }): ChatAddresses {
  return chat.kind === "group"
    ? { groupId: chat.value, phone: null, lid: null }
    : { groupId: null, phone: person.phone, lid: person.lid };
}

export type StatusEvent = Extract<LineEvent, { type: "status" }>;

/** The delivery states of a batch: message ids by the state that they reached. */
export function statusEventsOf(events: readonly LineEvent[]): StatusEvent[] {
  return events.filter((event): event is StatusEvent => event.type === "status");
}

function parseMessage(message: InboundMessage): IncomingMessage {
  const { chat, person, participant, fromMe, quotedWaId, waId, at, pushName } = message;
  return {
    chat: chat.kind === "group" ? { kind: "group", groupId: chat.value } : { kind: "person", person },
    pushName: fromMe ? "" : storableText(pushName),
    isNote: message.isNote ?? false,
    isQuarantined: message.isQuarantined ?? false,
    waId,
    fromMe,
    quotedWaId,
    participant: participant && {
      number: participant.phone ?? participant.lid ?? "",
      name: storableText(participant.name),
      phone: participant.phone,
      lid: participant.lid,
    },
    sentAt: at,
    call: null,
    ...parseContent(message.content),
  };
}

function parseCall(call: CallEvent): IncomingMessage {
  const { callId, person, pushName, isVideo, isGroup, state, at } = call;
  return {
    chat: { kind: "person", person },
    pushName: storableText(pushName),
    isNote: false,
    isQuarantined: false,
    waId: `call:${callId}`,
    fromMe: false,
    mediaType: "call_log",
    body: "",
    data: { isVideo, isGroup, state },
    call,
    quotedWaId: null,
    participant: null,
    isPlaceholder: false,
    sentAt: at,
    media: null,
    source: null,
    link: null,
  };
}

type ParsedContent = Pick<
  IncomingMessage,
  "mediaType" | "body" | "data" | "isPlaceholder" | "media" | "source" | "link"
>;

const withoutMedia = { data: null, isPlaceholder: false, media: null, source: null, link: null } as const;
/** What senders add to their messages is as small as their clients make it. */
const maxWaveform = 128;
const maxLinkThumbnail = 40_000;

function parseContent(content: Content): ParsedContent {
  switch (content.kind) {
    case "text":
      return {
        ...withoutMedia,
        mediaType: "chat",
        body: storableText(content.text),
        link: content.link ? receivedLink(content.link) : null,
      };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const { kind, caption, fileName, source, mimeType, ...facts } = content;
      return {
        ...withoutMedia,
        mediaType: kind === "document" ? "application" : kind,
        body: storableText(caption),
        media: {
          ...facts,
          waveform: facts.waveform && facts.waveform.length <= maxWaveform ? facts.waveform : null,
          mimeType: storableText(mimeType),
          fileName: fileName === null ? null : storableText(fileName),
        },
        source,
      };
    }
    case "location": {
      const { latitude, longitude, name, address } = content;
      const location = { latitude, longitude, name: storableText(name), address: storableText(address) };
      return { ...withoutMedia, mediaType: "locationMessage", body: location.name, data: location };
    }
    case "contacts": {
      const cards = content.cards.map(({ name, vcard }) => ({ name: storableText(name), vcard: storableText(vcard) }));
      return { ...withoutMedia, mediaType: "vcard", body: cards.map(({ name }) => name).join(", "), data: { cards } };
    }
    case "unsupported":
      return { ...withoutMedia, mediaType: "unsupported", body: "", data: { what: storableText(content.what) } };
    case "undecryptable": {
      const what = content.isAbsent ? "absent" : "undecryptable";
      return { ...withoutMedia, mediaType: "unsupported", body: "", data: { what }, isPlaceholder: true };
    }
  }
}

/** The preview that came with the message, of its first address only: another one is fetched. */
function receivedLink({ address, title, description, thumbnail }: SentLinkPreview): ReceivedLink | null {
  const link = firstLink(storableText(address));
  const isJpeg =
    thumbnail !== null && thumbnail.length <= maxLinkThumbnail && thumbnail[0] === 0xff && thumbnail[1] === 0xd8;
  return (
    (link && {
      ...link,
      title: oneLine(title, 200),
      description: oneLine(description, 300),
      picture: isJpeg ? thumbnail : null,
    }) ??
    null
  );
}
