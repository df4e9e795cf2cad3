import type { Content, SentLinkPreview } from "../../port.ts";
import { mediaSourceOf } from "../media/index.ts";
import type { EncryptedFile, MediaKind } from "../media/index.ts";
import { normalizeMessageContent } from "../library.ts";
import type { proto, WAMessageKey } from "../library.ts";
import { countOf, idOf } from "./untrusted-values.ts";

type Message = proto.IMessage;

/** The content of a message in neutral words; null where it has nothing that a person would see. */
export function contentOf(message: Message | null | undefined, key: WAMessageKey): Content | null {
  const bare = normalizeMessageContent(message ?? undefined);
  if (!bare) {
    return null;
  }
  const text = textOf(bare);
  if (text === null) {
    return mediaOf(bare, key) ?? locationOrContacts(bare) ?? unsupported(bare);
  }
  const link = linkOf(bare);
  return { kind: "text", text, ...(link && { link }) };
}

/** The preview that the sender's client made of an address in the text. */
function linkOf({ extendedTextMessage }: Message): SentLinkPreview | null {
  const { text, matchedText, title, description, jpegThumbnail } = extendedTextMessage ?? {};
  return matchedText && title && text?.includes(matchedText)
    ? { address: matchedText, title, description: description ?? "", thumbnail: copied(jpegThumbnail) }
    : null;
}

/** Copied: the bytes are a slice of the frame, which they would keep in memory. */
function copied(bytes: Uint8Array | null | undefined): Uint8Array | null {
  return bytes && bytes.length > 0 ? Uint8Array.from(bytes) : null;
}

/** The id of the message that this one quotes. */
export function quotedIdOf(message: Message | null | undefined): string | null {
  const bare = normalizeMessageContent(message ?? undefined) ?? {};
  for (const part of Object.values(bare) as ({ contextInfo?: proto.IContextInfo | null } | null | undefined)[]) {
    const quoted = typeof part === "object" ? idOf(part?.contextInfo?.stanzaId) : null;
    if (quoted) {
      return quoted;
    }
  }
  return null;
}

/** The text of a message, or the choice that a person made on a button or in a list. */
export function textOf(message: Message): string | null {
  const hydrated =
    message.templateMessage?.hydratedTemplate ?? message.templateMessage?.hydratedFourRowTemplate ?? undefined;
  return (
    message.conversation ||
    message.extendedTextMessage?.text ||
    message.buttonsResponseMessage?.selectedDisplayText ||
    message.templateButtonReplyMessage?.selectedDisplayText ||
    message.listResponseMessage?.title ||
    message.listResponseMessage?.singleSelectReply?.selectedRowId ||
    message.interactiveResponseMessage?.body?.text ||
    message.buttonsMessage?.contentText ||
    message.listMessage?.description ||
    message.interactiveMessage?.body?.text ||
    hydrated?.hydratedContentText ||
    null
  );
}

/** The text of an edit: the new text, or the new caption. */
export function editedTextOf(message: Message | null | undefined): string | null {
  const bare = normalizeMessageContent(message ?? undefined);
  if (!bare) {
    return null;
  }
  const captioned = bare.imageMessage ?? bare.videoMessage ?? bare.documentMessage;
  return textOf(bare) ?? captioned?.caption ?? null;
}

interface File extends EncryptedFile {
  readonly mimetype?: string | null;
  readonly caption?: string | null;
  readonly fileName?: string | null;
  readonly title?: string | null;
  readonly fileLength?: number | { toNumber(): number } | null;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly seconds?: number | null;
  readonly ptt?: boolean | null;
  readonly jpegThumbnail?: Uint8Array | null;
  readonly pngThumbnail?: Uint8Array | null;
  readonly waveform?: Uint8Array | null;
}

function mediaOf(message: Message, key: WAMessageKey): Content | null {
  const found: [MediaKind, File | null | undefined][] = [
    ["image", message.imageMessage],
    ["video", message.videoMessage ?? message.ptvMessage],
    ["audio", message.audioMessage],
    ["document", message.documentMessage],
    ["sticker", message.stickerMessage],
  ];
  for (const [kind, file] of found) {
    if (file) {
      return mediaContent(kind, file, key);
    }
  }
  return null;
}

const DEFAULT_MIME_TYPES = {
  image: "image/jpeg",
  video: "video/mp4",
  audio: "audio/ogg; codecs=opus",
  document: "application/octet-stream",
  sticker: "image/webp",
} as const;

function mediaContent(kind: MediaKind, file: File, key: WAMessageKey): Content {
  const thumbnail = file.jpegThumbnail ?? file.pngThumbnail;
  return {
    kind,
    caption: file.caption ?? "",
    fileName: file.fileName || file.title || null,
    mimeType: file.mimetype || DEFAULT_MIME_TYPES[kind],
    size: countOf(numberOf(file.fileLength), Number.MAX_SAFE_INTEGER),
    width: countOf(file.width),
    height: countOf(file.height),
    seconds: countOf(file.seconds),
    isVoice: kind === "audio" && file.ptt === true,
    thumbnail: copied(thumbnail),
    ...(file.waveform?.length && { waveform: Uint8Array.from(file.waveform) }),
    source: mediaSourceOf(kind, file, key),
  };
}

function locationOrContacts(message: Message): Content | null {
  const place = message.locationMessage ?? message.liveLocationMessage;
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude } = place;
    // Also for NaN: a place that is none is shown on no map.
    if (!(Math.abs(latitude ?? 0) <= 90 && Math.abs(longitude ?? 0) <= 180)) {
      return { kind: "unsupported", what: "unreadable" };
    }
    return {
      kind: "location",
      latitude: latitude ?? 0,
      longitude: longitude ?? 0,
      name: message.locationMessage?.name ?? message.liveLocationMessage?.caption ?? "",
      address: message.locationMessage?.address ?? "",
    };
  }
  const cards = message.contactsArrayMessage?.contacts ?? (message.contactMessage ? [message.contactMessage] : null);
  return cards
    ? { kind: "contacts", cards: cards.map((card) => ({ name: card.displayName ?? "", vcard: card.vcard ?? "" })) }
    : null;
}

/** Parts of a message that people never see. */
const INVISIBLE_PARTS: ReadonlySet<string> = new Set([
  "senderKeyDistributionMessage",
  "fastRatchetKeySenderKeyDistributionMessage",
  "messageContextInfo",
  "protocolMessage",
  "deviceSentMessage",
  "keepInChatMessage",
  "pinInChatMessage",
  // The header of an album; its photos are messages of their own.
  "albumMessage",
  "chat",
]);

const UNSUPPORTED_KINDS: Readonly<Record<string, string>> = {
  pollCreationMessage: "poll",
  pollCreationMessageV2: "poll",
  pollCreationMessageV3: "poll",
  pollUpdateMessage: "pollVote",
  eventMessage: "event",
  encEventResponseMessage: "eventAnswer",
  groupInviteMessage: "groupInvite",
  productMessage: "product",
  orderMessage: "order",
  requestPaymentMessage: "payment",
  sendPaymentMessage: "payment",
  invoiceMessage: "payment",
  call: "call",
};

/** Behaviour 3: no inbound message is dropped without a row; the kind tells the agent what to ask for. */
function unsupported(message: Message): Content | null {
  const kind = Object.entries(message).find(([name, value]) => value !== null && !INVISIBLE_PARTS.has(name))?.[0];
  return kind === undefined
    ? null
    : { kind: "unsupported", what: UNSUPPORTED_KINDS[kind] ?? kind.replace(/Message(V\d+)?$/, "") };
}

function numberOf(value: File["fileLength"]): number | null | undefined {
  return typeof value === "object" ? value?.toNumber() : value;
}
