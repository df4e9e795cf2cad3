import type { MediaType } from "@prosa/contract";
import type { Outbound } from "#server/whatsapp/port.ts";
import { participantRef } from "../authors.ts";
import type { QueuedMessage } from "./send.queries.ts";

/** A message's file, copied to the local disk. */
export interface LocalFile extends NonNullable<QueuedMessage["file"]> {
  readonly path: string;
  /** Of a voice note: 64 heights of 0 to 100. */
  readonly waveform?: Uint8Array;
}

/** Translates a stored message to the content that a line sends. */
export function toOutbound(message: QueuedMessage, file: LocalFile | null): Outbound {
  const quoted = message.quoted && {
    waId: message.quoted.waId,
    fromMe: message.quoted.fromMe,
    body: message.quoted.body,
    ...participantRef(message.quoted),
  };
  const quote = quoted ? { quoted } : {};
  const { data, body } = message;

  if (message.mediaType === "locationMessage") {
    const { latitude = 0, longitude = 0, name = "" } = data as { latitude?: number; longitude?: number; name?: string };
    return { kind: "location", latitude, longitude, name, ...quote };
  }
  if (message.mediaType === "vcard") {
    const [card] = (data as { cards?: readonly { name: string; vcard: string }[] } | null)?.cards ?? [];
    return { kind: "contact", name: card?.name ?? body, vcard: card?.vcard ?? "", ...quote };
  }
  if (file) {
    const { path, name, mimeType, size, width, height, seconds, waveform, thumbnail } = file;
    return {
      kind: outboundKind(message.mediaType, file.isVoice),
      caption: body,
      file: {
        path,
        mimeType,
        fileName: name,
        size,
        ...(width !== null && { width }),
        ...(height !== null && { height }),
        ...(seconds !== null && { seconds }),
        ...(waveform && { waveform }),
        ...(thumbnail && { thumbnail: Buffer.from(thumbnail, "base64") }),
      },
      ...quote,
    };
  }
  return { kind: "text", text: body, ...quote };
}

function outboundKind(mediaType: MediaType, isVoice: boolean) {
  switch (mediaType) {
    case "image":
    case "video":
    case "sticker":
      return mediaType;
    case "audio":
      return isVoice ? "voice" : "audio";
    default:
      return "document";
  }
}
