import { proto } from "baileys";
import type { MediaKind } from "../media/index.ts";
import { textOf } from "./message-content.ts";
import type { ReceivedContent } from "./message-content.ts";

/** Parses a decrypted message; unwraps device-sent, edited, captioned, disappearing and view-once messages. */
export function readMessage(message: proto.IMessage): ReceivedContent {
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

/** Id of the quoted message. */
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

function readProtocol(message: proto.Message.IProtocolMessage): ReceivedContent {
  const type = proto.Message.ProtocolMessage.Type;
  const to = message.key?.id ?? "";
  if (message.type === type.MESSAGE_EDIT && message.editedMessage) {
    const edited = readMessage(message.editedMessage);
    return { kind: "edit", to, text: textOf(edited) };
  }
  return message.type === type.REVOKE ? { kind: "revoke", to } : { kind: "other", type: "protocolMessage" };
}

type FileMessage = proto.Message.IImageMessage &
  proto.Message.IVideoMessage &
  proto.Message.IAudioMessage &
  proto.Message.IDocumentMessage;

function readFile(message: proto.IMessage): ReceivedContent | undefined {
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
