import type { Address, MessageRef, Outbound, OutboundFile, Quoted } from "../../port.ts";
import { SendError } from "../../port.ts";
import { jidOf, jidOfPerson } from "../addresses.ts";
import { generateWAMessageContent, proto } from "../library.ts";
import type { AnyMessageContent, WASocket } from "../library.ts";

/** Turns neutral content into what is encrypted; files are encrypted and uploaded on the way. Throws SendError. */
export async function messageOf(
  content: Outbound,
  to: Address,
  sock: WASocket,
  selfJid: string,
): Promise<proto.IMessage> {
  const message = await encode(content, to, sock);
  if ("quoted" in content && content.quoted) {
    quote(message, content.quoted, to, selfJid);
  }
  return message;
}

async function encode(content: Outbound, to: Address, sock: WASocket): Promise<proto.IMessage> {
  try {
    return await generateWAMessageContent(plain(content, to), {
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

function plain(content: Outbound, to: Address): AnyMessageContent {
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
      return { react: { key: keyOf(content.target, to), text: content.emoji } };
    case "edit":
      return { text: content.text, edit: keyOf(content.target, to), linkPreview: null };
    case "revoke":
      return { delete: keyOf(content.target, to) };
    default:
      return file(content.kind, content.caption, content.file);
  }
}

function file(
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
      // Without a thumbnail of ours Baileys would call ffmpeg through a shell.
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
        // Phones show no voice of zero seconds.
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

function quote(message: proto.IMessage, quoted: Quoted, to: Address, selfJid: string): void {
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

/** Attributes that tell the server about an edit or a deletion. */
export function attributesOf(content: Outbound, to: Address): Record<string, string> {
  switch (content.kind) {
    case "edit":
      return { edit: "1" };
    case "revoke":
      // In a group an admin may delete what somebody else wrote.
      return { edit: to.kind === "group" && !content.target.fromMe ? "8" : "7" };
    default:
      return {};
  }
}

export function keyOf(target: MessageRef, chat: Address) {
  const participant = target.participant ? jidOfPerson(target.participant) : null;
  return { id: target.waId, fromMe: target.fromMe, remoteJid: jidOf(chat), ...(participant && { participant }) };
}

/** What is kept for a contact that asks for a message again. */
export function payloadOf(message: proto.IMessage): Uint8Array {
  return proto.Message.encode(message).finish();
}
