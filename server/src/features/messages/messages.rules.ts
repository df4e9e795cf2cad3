import type { MediaType } from "@prosa/contract";
import { messageRules } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Outbound, PersonRef } from "#server/whatsapp/port.ts";
import type { MessageRow, Unsent } from "./messages.queries.ts";

/**
 * Times of messages are whole seconds, as WhatsApp's own are: within one second the order of storing decides
 * (behaviour 3), and an answer never slips before the question of the same second.
 */
export function wholeSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1_000) * 1_000);
}

/** So far WhatsApp's clock is believed to be ahead of ours; a time beyond that is wrong (decision 0117). */
const mostAheadMs = 10 * 60_000;

/**
 * When a message of ours is sent: now, and never before the last one of its chat, whose time is WhatsApp's. On a host
 * that is seconds behind, the answer would stand above its question.
 */
export function timeToSend(now: Date, lastMessageAt: Date): Date {
  const own = wholeSecond(now);
  return lastMessageAt > own && isBelievable(lastMessageAt, now) ? wholeSecond(lastMessageAt) : own;
}

/** When a message that came in was sent: as WhatsApp says, unless that is far ahead of our own clock. */
export function timeReceived(said: Date, now: Date): Date {
  return isBelievable(said, now) ? said : wholeSecond(now);
}

function isBelievable(time: Date, now: Date): boolean {
  return time.getTime() - now.getTime() <= mostAheadMs;
}

/** How a file is shown, by what it is. */
export function mediaTypeOf(contentType: string): MediaType {
  const [family = ""] = contentType.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "application";
}

/**
 * An edit needs an own text that is not deleted, and is at most 15 minutes old: WhatsApp refuses later ones. Too old is
 * ERR_FETCH_WAPP_MSG (specification 1, section 8).
 */
export function mayEdit(message: MessageRow, now: Date): void {
  if (!message.fromMe || message.mediaType !== "chat" || message.isDeleted || message.ack === -1) {
    throw new AppError("ERR_EDIT_WAPP_MSG");
  }
  if (now.getTime() - message.sentAt.getTime() > messageRules.editWithinMs) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}

/** Deleting for everyone needs an own message of the last two days. */
export function mayDelete(message: MessageRow, now: Date): void {
  if (!message.fromMe) {
    throw new AppError("ERR_DELETE_WAPP_MSG");
  }
  if (now.getTime() - message.sentAt.getTime() > messageRules.deleteWithinMs) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}

/** A message's file on this machine's disk. */
export interface LocalFile extends NonNullable<Unsent["file"]> {
  readonly path: string;
  /** Of a voice note. */
  readonly waveform?: Uint8Array;
}

/** What the line is to send, with the message's file for those that have one. */
export function contentOf(message: Unsent, file: LocalFile | null): Outbound {
  const quoted = message.quoted && {
    waId: message.quoted.waId,
    fromMe: message.quoted.fromMe,
    body: message.quoted.body,
    ...authorOf(message.quoted),
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

/** In a group a key names who wrote the message; elsewhere there is nobody to name. */
export function authorOf({ participant }: { readonly participant: PersonRef | null }): { participant?: PersonRef } {
  return participant ? { participant: { phone: participant.phone, lid: participant.lid } } : {};
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

/** A contact card as phones read it. */
export function vcardOf({ name, number }: { readonly name: string; readonly number: string }): string {
  const digits = number.replaceAll(/\D/g, "");
  const plain = name.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\;,]/g, String.raw`\$&`);
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:;${plain};;;`,
    `FN:${plain}`,
    `TEL;type=CELL;type=VOICE;waid=${digits}:+${digits}`,
    "END:VCARD",
  ].join("\n");
}

/** The lane in which everything that leaves for a chat goes, in order. */
export function laneOf(ticketId: number): string {
  return `chat:${ticketId}`;
}

/** Only the process that owns the line can do it. */
export function affinityOf(connectionId: number): string {
  return `line:${connectionId}`;
}
