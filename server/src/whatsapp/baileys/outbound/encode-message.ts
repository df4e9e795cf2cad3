import type { Address, MessageRef, Outbound, OutboundFile, Quoted } from "../../port.ts";
import { SendError } from "../../port.ts";
import { jidOf, jidOfPerson } from "../addresses.ts";
import { generateWAMessageContent, proto } from "../library.ts";
import type { AnyMessageContent, WASocket } from "../library.ts";

/** Encodes neutral content as WhatsApp's proto; files are encrypted and uploaded. Throws SendError. */
export async function encodeMessage(
  content: Outbound,
  to: Address,
  sock: WASocket,
  selfJid: string,
): Promise<proto.IMessage> {
  const message = await encodeContent(content, to, sock);
  if ("quoted" in content && content.quoted) {
    addQuote(message, content.quoted, to, selfJid);
  }
  return message;
}

async function encodeContent(content: Outbound, to: Address, sock: WASocket): Promise<proto.IMessage> {
  try {
    return await generateWAMessageContent(libraryContent(content, to), {
      upload: sock.waUploadToServer,
      mediaUploadTimeoutMs: 120_000,
    });
  } catch (cause) {
    if ("file" in content) {
      throw new SendError("file", true, { cause, detail: "The file could not be uploaded" });
    }
    throw cause;
  }
}

function libraryContent(content: Outbound, to: Address): AnyMessageContent {
  switch (content.kind) {
    case "text":
      return { text: content.text, linkPreview: null };
    case "location":
      return {
        location: { degreesLatitude: content.latitude, degreesLongitude: content.longitude, name: content.name },
      };
    case "contact":
      return { contacts: { contacts: [{ displayName: content.name, vcard: content.vcard }] } };
    case "reaction":
      return { react: { key: messageKeyOf(content.target, to), text: content.emoji } };
    case "edit":
      return { text: content.text, edit: messageKeyOf(content.target, to), linkPreview: null };
    case "revoke":
      return { delete: messageKeyOf(content.target, to) };
    default:
      return fileContent(content.kind, content.caption, content.file);
  }
}

function fileContent(
  kind: "image" | "video" | "audio" | "voice" | "document" | "sticker",
  caption: string,
  given: OutboundFile,
): AnyMessageContent {
  const media = { url: given.path };
  const about = {
    mimetype: given.mimeType,
    ...(given.width !== undefined && { width: given.width }),
    ...(given.height !== undefined && { height: given.height }),
    ...(given.thumbnail && { jpegThumbnail: Buffer.from(given.thumbnail).toString("base64") }),
  };
  switch (kind) {
    case "image":
      return { image: media, caption, ...about };
    case "video":
      // Without a given thumbnail Baileys would call ffmpeg through a shell.
      return {
        video: media,
        caption,
        jpegThumbnail: "",
        ...(given.seconds !== undefined && { seconds: Math.round(given.seconds) }),
        ...about,
      };
    case "audio":
    case "voice":
      return {
        audio: media,
        ptt: kind === "voice",
        // Phones do not show a voice note of zero seconds.
        ...(given.seconds !== undefined && { seconds: Math.max(1, Math.round(given.seconds)) }),
        ...(given.waveform && { waveform: given.waveform }),
        ...about,
      };
    case "sticker":
      return { sticker: media, ...about };
    default:
      return { document: media, fileName: given.fileName, caption, ...about };
  }
}

function addQuote(message: proto.IMessage, quoted: Quoted, to: Address, selfJid: string): void {
  const part = Object.values(message).find((value): value is { contextInfo?: proto.IContextInfo | null } => {
    return typeof value === "object" && value !== null;
  });
  if (part) {
    const author = quoted.fromMe
      ? selfJid
      : (jidOfPerson(quoted.participant ?? { phone: null, lid: null }) ?? jidOf(to));
    part.contextInfo = { stanzaId: quoted.waId, participant: author, quotedMessage: { conversation: quoted.body } };
  }
}

/** Stanza attributes by which the server knows an edit or a deletion. */
export function stanzaAttributes(content: Outbound, to: Address): Record<string, string> {
  switch (content.kind) {
    case "edit":
      return { edit: "1" };
    case "revoke":
      // In a group an admin may delete messages of others.
      return { edit: to.kind === "group" && !content.target.fromMe ? "8" : "7" };
    default:
      return {};
  }
}

export function messageKeyOf(target: MessageRef, chat: Address) {
  const participant = target.participant ? jidOfPerson(target.participant) : null;
  return { id: target.waId, fromMe: target.fromMe, remoteJid: jidOf(chat), ...(participant && { participant }) };
}

/** The payload that is stored to answer a contact's retry request. */
export function serializeMessage(message: proto.IMessage): Uint8Array {
  return proto.Message.encode(message).finish();
}
