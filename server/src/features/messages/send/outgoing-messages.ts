import type { BodyOf, MediaType, messages } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { AppError } from "#server/platform/ctx.ts";
import type { StoredMedia } from "../media/index.ts";
import type { OutgoingMessage } from "./send-messages.ts";

type SendBody = BodyOf<typeof messages.send>;
type OutgoingFile = Omit<StoredMedia, "messageId">;

/**
 * The messages of one POST: each file is a message of its own, and the text is the caption of the first file that can carry
 * one. Audio cannot: if all files are audio, the text is a message before them. ERR_VALIDATION where there is nothing to
 * send: an empty text is never sent.
 */
export function toOutgoingMessages(body: SendBody, files: readonly OutgoingFile[]): OutgoingMessage[] {
  const quotedId = body.quotedMsgId ?? body.quotedMsg?.id ?? null;
  const text = isBlank(body.body) ? "" : body.body;
  if (files.length > 0) {
    return fileMessages(text, files, quotedId);
  }
  if (body.vcard) {
    const card = { name: body.vcard.name, vcard: vcardOf(body.vcard) };
    return [{ mediaType: "vcard", body: card.name, data: { cards: [card] }, quotedId, file: null }];
  }
  if (body.location) {
    const { name = "" } = body.location;
    return [{ mediaType: "locationMessage", body: name, data: { ...body.location, name }, quotedId, file: null }];
  }
  if (text === "") {
    throw new AppError("ERR_VALIDATION", { fields: { body: "Required" } });
  }
  return [textMessage(text, quotedId)];
}

function fileMessages(text: string, files: readonly OutgoingFile[], quotedId: number | null): OutgoingMessage[] {
  const fromFiles = files.map((file): OutgoingMessage => {
    return { mediaType: mediaTypeOf(file.mimeType), body: "", data: null, quotedId: null, file };
  });
  const captioned = fromFiles.findIndex(({ mediaType }) => mediaType !== "audio");
  const all =
    text === "" || captioned >= 0
      ? fromFiles.map((message, index) => (index === captioned ? { ...message, body: text } : message))
      : [textMessage(text, null), ...fromFiles];
  return all.map((message, index) => (index === 0 ? { ...message, quotedId } : message));
}

function textMessage(body: string, quotedId: number | null): OutgoingMessage {
  return { mediaType: "chat", body, data: null, quotedId, file: null };
}

function mediaTypeOf(contentType: string): MediaType {
  const [family = ""] = contentType.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "application";
}

function vcardOf({ name, number }: { readonly name: string; readonly number: string }): string {
  const digits = number.replaceAll(/\D/g, "");
  const escaped = name.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\;,]/g, String.raw`\$&`);
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:;${escaped};;;`,
    `FN:${escaped}`,
    `TEL;type=CELL;type=VOICE;waid=${digits}:+${digits}`,
    "END:VCARD",
  ].join("\n");
}
