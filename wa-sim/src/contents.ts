import { proto } from "baileys";
import type { MediaHost, MediaKind, StoredMedia } from "./media-host.ts";

/** A file as a person sends it. */
export interface Attachment {
  caption?: string;
  mimetype?: string;
}

/** What a person or an owner's phone can send. A bare string is a text. */
export type Content = string | ((Plain | Action) & Extras);

type Plain =
  | { text: string }
  | ({ image: Uint8Array } & Attachment)
  | ({ video: Uint8Array; seconds?: number } & Attachment)
  | { audio: Uint8Array; ptt?: boolean; seconds?: number; mimetype?: string }
  | ({ document: Uint8Array; fileName: string } & Attachment)
  | { sticker: Uint8Array; mimetype?: string }
  | { location: { latitude: number; longitude: number; name?: string; address?: string } }
  | { contact: { name: string; number: string } };

type Action =
  | { reaction: { id: string; emoji: string } }
  | { edit: { id: string; text: string } }
  | { revoke: string }
  /** Any protobuf message, for what has no word here. */
  | { raw: proto.IMessage };

interface Extras {
  /** Id of the message that this one answers; it must be in the sender's chats. */
  quote?: string;
  forwarded?: boolean;
}

/** What a person received, in neutral words. */
export type Received =
  | { kind: "text"; text: string }
  | ({ kind: MediaKind } & ReceivedMedia)
  | { kind: "location"; latitude: number; longitude: number; name?: string }
  | { kind: "contact"; name: string; vcard: string }
  | { kind: "reaction"; to: string; emoji: string }
  | { kind: "edit"; to: string; text: string }
  | { kind: "revoke"; to: string }
  | { kind: "other"; type: string };

export interface ReceivedMedia {
  url: string;
  directPath: string;
  mediaKey: Uint8Array;
  mimetype: string;
  fileSha256: Uint8Array;
  caption?: string;
  fileName?: string;
  seconds?: number;
  ptt?: boolean;
  waveform?: Uint8Array;
  width?: number;
  height?: number;
  thumbnail?: Uint8Array;
}

export interface Builder {
  media: MediaHost;
  /** Finds a message of the sender's chats, to quote it or to act on it. */
  find(id: string): { author: string; isOwn: boolean; message: proto.IMessage } | undefined;
  /** Chat address for keys inside reactions, edits and revokes. */
  chat: string;
}

/** Builds the protobuf message; files are encrypted and put on the media host first. */
export async function buildMessage(content: Content, builder: Builder): Promise<proto.IMessage> {
  if (typeof content === "string") {
    return { conversation: content };
  }
  const message = await buildBody(content, builder);
  const context = contextOf(content, builder);
  return context ? withContext(message, context) : message;
}

async function buildBody(content: Exclude<Content, string>, builder: Builder): Promise<proto.IMessage> {
  if ("text" in content) {
    return { conversation: content.text };
  }
  if ("image" in content) {
    const file = await builder.media.store("image", content.image);
    return { imageMessage: { ...fileFields(file), mimetype: content.mimetype ?? "image/jpeg", ...caption(content) } };
  }
  if ("video" in content) {
    const file = await builder.media.store("video", content.video);
    const seconds = content.seconds ?? 1;
    return {
      videoMessage: { ...fileFields(file), mimetype: content.mimetype ?? "video/mp4", seconds, ...caption(content) },
    };
  }
  if ("audio" in content) {
    const file = await builder.media.store("audio", content.audio);
    const mimetype = content.mimetype ?? (content.ptt ? "audio/ogg; codecs=opus" : "audio/mpeg");
    return {
      audioMessage: { ...fileFields(file), mimetype, ptt: content.ptt ?? false, seconds: content.seconds ?? 1 },
    };
  }
  if ("document" in content) {
    const file = await builder.media.store("document", content.document);
    const document = {
      ...fileFields(file),
      mimetype: content.mimetype ?? "application/octet-stream",
      fileName: content.fileName,
      title: content.fileName,
      ...caption(content),
    };
    return content.caption === undefined
      ? { documentMessage: document }
      : { documentWithCaptionMessage: { message: { documentMessage: document } } };
  }
  if ("sticker" in content) {
    const file = await builder.media.store("sticker", content.sticker);
    return { stickerMessage: { ...fileFields(file), mimetype: content.mimetype ?? "image/webp" } };
  }
  if ("location" in content) {
    const { latitude, longitude, name, address } = content.location;
    return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } };
  }
  if ("contact" in content) {
    return { contactMessage: { displayName: content.contact.name, vcard: vcardOf(content.contact) } };
  }
  return buildAction(content, builder);
}

function buildAction(content: Action, builder: Builder): proto.IMessage {
  if ("raw" in content) {
    return content.raw;
  }
  const type = proto.Message.ProtocolMessage.Type;
  if ("reaction" in content) {
    const key = keyOf(content.reaction.id, builder);
    return { reactionMessage: { key, text: content.reaction.emoji, senderTimestampMs: Date.now() } };
  }
  if ("edit" in content) {
    const editedMessage = { conversation: content.edit.text };
    const protocolMessage = { key: keyOf(content.edit.id, builder), type: type.MESSAGE_EDIT, editedMessage };
    return { editedMessage: { message: { protocolMessage } } };
  }
  return { protocolMessage: { key: keyOf(content.revoke, builder), type: type.REVOKE } };
}

function keyOf(id: string, builder: Builder): proto.IMessageKey {
  return { remoteJid: builder.chat, id, fromMe: builder.find(id)?.isOwn ?? true };
}

function contextOf(content: Extras, builder: Builder): proto.IContextInfo | undefined {
  if (content.quote === undefined) {
    return content.forwarded ? { isForwarded: true, forwardingScore: 1 } : undefined;
  }
  const quoted = builder.find(content.quote);
  if (!quoted) {
    throw new Error(`no message ${content.quote} to quote`);
  }
  return { stanzaId: content.quote, participant: quoted.author, quotedMessage: quoted.message };
}

function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo): proto.IMessage {
  if (message.conversation) {
    return { extendedTextMessage: { text: message.conversation, contextInfo } };
  }
  const [name, body] = Object.entries(message)[0] ?? [];
  return name === undefined ? message : { [name]: { ...(body as object), contextInfo } };
}

const caption = (content: Attachment): { caption?: string } =>
  content.caption === undefined ? {} : { caption: content.caption };

function fileFields(file: StoredMedia): {
  url: string;
  directPath: string;
  mediaKey: Uint8Array;
  fileSha256: Uint8Array;
  fileEncSha256: Uint8Array;
  fileLength: number;
  mediaKeyTimestamp: number;
} {
  const { url, directPath, mediaKey, fileSha256, fileEncSha256, fileLength } = file;
  return {
    url,
    directPath,
    mediaKey,
    fileSha256,
    fileEncSha256,
    fileLength,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  };
}

const vcardOf = ({ name, number }: { name: string; number: string }): string =>
  ["BEGIN:VCARD", "VERSION:3.0", `FN:${name}`, `TEL;type=CELL;waid=${number}:+${number}`, "END:VCARD"].join("\n");

/** Reads a decrypted message in neutral words; wrappers (own copy, edit, caption, disappearing, view once) are opened. */
export function readMessage(message: proto.IMessage): Received {
  const inner = unwrap(message);
  if (inner.protocolMessage?.key) {
    return readProtocol(inner.protocolMessage);
  }
  if (inner.reactionMessage) {
    return { kind: "reaction", to: inner.reactionMessage.key?.id ?? "", emoji: inner.reactionMessage.text ?? "" };
  }
  const text = inner.conversation || inner.extendedTextMessage?.text;
  if (text) {
    return { kind: "text", text };
  }
  if (inner.locationMessage) {
    const { degreesLatitude, degreesLongitude, name } = inner.locationMessage;
    return {
      kind: "location",
      latitude: degreesLatitude ?? 0,
      longitude: degreesLongitude ?? 0,
      ...(name ? { name } : {}),
    };
  }
  if (inner.contactMessage) {
    return { kind: "contact", name: inner.contactMessage.displayName ?? "", vcard: inner.contactMessage.vcard ?? "" };
  }
  return (
    readFile(inner) ?? {
      kind: "other",
      type: Object.keys(inner).find((key) => key !== "messageContextInfo") ?? "empty",
    }
  );
}

/** Id of the message that this one answers. */
export function quotedBy(message: proto.IMessage): string | undefined {
  const inner = unwrap(message);
  for (const body of Object.values(inner) as unknown[]) {
    if (typeof body === "object" && body !== null && "contextInfo" in body) {
      return (body.contextInfo as proto.IContextInfo | null)?.stanzaId ?? undefined;
    }
  }
  return undefined;
}

export function unwrap(message: proto.IMessage): proto.IMessage {
  const wrapped =
    message.deviceSentMessage?.message ??
    message.editedMessage?.message ??
    message.documentWithCaptionMessage?.message ??
    message.ephemeralMessage?.message ??
    message.viewOnceMessage?.message ??
    message.viewOnceMessageV2?.message;
  return wrapped ? unwrap(wrapped) : message;
}

function readProtocol(message: proto.Message.IProtocolMessage): Received {
  const type = proto.Message.ProtocolMessage.Type;
  const to = message.key?.id ?? "";
  if (message.type === type.MESSAGE_EDIT && message.editedMessage) {
    const edited = readMessage(message.editedMessage);
    return { kind: "edit", to, text: textOf(edited) };
  }
  return message.type === type.REVOKE ? { kind: "revoke", to } : { kind: "other", type: "protocolMessage" };
}

/** The words of a message: its text, its caption, or nothing. */
export function textOf(content: Received): string {
  if (content.kind === "text" || content.kind === "edit") {
    return content.text;
  }
  return "caption" in content ? (content.caption ?? "") : "";
}

type FileMessage = proto.Message.IImageMessage &
  proto.Message.IVideoMessage &
  proto.Message.IAudioMessage &
  proto.Message.IDocumentMessage;

function readFile(message: proto.IMessage): Received | undefined {
  const found: [MediaKind, object | null | undefined][] = [
    ["image", message.imageMessage],
    ["video", message.videoMessage],
    ["audio", message.audioMessage],
    ["document", message.documentMessage],
    ["sticker", message.stickerMessage],
  ];
  const hit = found.find(([, body]) => body);
  if (!hit) {
    return undefined;
  }
  const body = hit[1] as FileMessage;
  return {
    kind: hit[0],
    url: body.url ?? "",
    directPath: body.directPath ?? "",
    mediaKey: body.mediaKey ?? new Uint8Array(),
    mimetype: body.mimetype ?? "",
    fileSha256: body.fileSha256 ?? new Uint8Array(),
    ...(body.caption ? { caption: body.caption } : {}),
    ...(body.fileName ? { fileName: body.fileName } : {}),
    ...(body.seconds ? { seconds: body.seconds } : {}),
    ...(body.ptt ? { ptt: true } : {}),
    ...(body.width ? { width: body.width } : {}),
    ...(body.height ? { height: body.height } : {}),
    ...(body.jpegThumbnail?.length ? { thumbnail: body.jpegThumbnail } : {}),
    ...(body.waveform?.length ? { waveform: body.waveform } : {}),
  };
}
