import { proto } from "baileys";
import type { MediaHost, StoredMedia } from "../media/index.ts";
import type { Action, Attachment, Content, Extras } from "./message-content.ts";

export interface BuildContext {
  media: MediaHost;
  /** Finds a message of the sender's chats, to quote it or to act on it. */
  find(id: string): { author: string; isOwn: boolean; message: proto.IMessage } | undefined;
  /** Chat address for keys inside reactions, edits and revokes. */
  chat: string;
}

/** Builds the protobuf message; files are uploaded to the media host first. */
export async function buildMessage(content: Content, builder: BuildContext): Promise<proto.IMessage> {
  if (typeof content === "string") {
    return { conversation: content };
  }
  const message = await buildBody(content, builder);
  const context = contextOf(content, builder);
  return context ? withContext(message, context) : message;
}

async function buildBody(content: Exclude<Content, string>, builder: BuildContext): Promise<proto.IMessage> {
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

function buildAction(content: Action, builder: BuildContext): proto.IMessage {
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

function keyOf(id: string, builder: BuildContext): proto.IMessageKey {
  return { remoteJid: builder.chat, id, fromMe: builder.find(id)?.isOwn ?? true };
}

function contextOf(content: Extras, builder: BuildContext): proto.IContextInfo | undefined {
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
