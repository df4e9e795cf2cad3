import type { BodyOf, MediaType, messages } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { AppError } from "#server/platform/ctx.ts";
import type { StoredMedia } from "../media/index.ts";
import type { OutgoingMessage } from "./send-messages.ts";

type SendBody = BodyOf<typeof messages.send>;
type OutgoingFile = Omit<StoredMedia, "messageId">;

/**
 * The messages of one POST: each file is a message of its own. One text is the caption of the first file that can carry one;
 * several are a caption for each file, in their order (behaviour 1). Audio carries none: its text is a message before it.
 * ERR_VALIDATION where there is nothing to send: an empty text is never sent.
 */
export function toOutgoingMessages(body: SendBody, files: readonly OutgoingFile[]): OutgoingMessage[] {
  const quotedId = body.quotedMsgId ?? body.quotedMsg?.id ?? null;
  if (files.length > 0) {
    return fileMessages(captionsOf(body.body, files), files, quotedId);
  }
  if (body.vcard) {
    const card = { name: body.vcard.name, vcard: vcardOf(body.vcard) };
    return [{ mediaType: "vcard", body: card.name, data: { cards: [card] }, quotedId, file: null }];
  }
  if (body.location) {
    const { name = "" } = body.location;
    return [{ mediaType: "locationMessage", body: name, data: { ...body.location, name }, quotedId, file: null }];
  }
  const text = [body.body].flat().join("\n");
  if (isBlank(text)) {
    throw new AppError("ERR_VALIDATION", { fields: { body: "Required" } });
  }
  return [textMessage(text, quotedId)];
}

/** A caption for each file, "" for none; texts beyond the last file stay at the end. */
function captionsOf(body: SendBody["body"], files: readonly OutgoingFile[]): string[] {
  if (Array.isArray(body)) {
    return body.map((text, index) => (isCaption(text, files.slice(index, index + 1)) ? text : ""));
  }
  const carrier = files.findIndex(({ mimeType }) => mediaTypeOf(mimeType) !== "audio");
  return files.map((_, index) => (index === Math.max(carrier, 0) && isCaption(body, files) ? body : ""));
}

/** Some clients send a file's own name where nothing was written, with underscores for its spaces. */
function isCaption(text: string, files: readonly OutgoingFile[]): boolean {
  const plain = (name: string) => name.trim().replaceAll(" ", "_");
  return !isBlank(text) && files.every(({ fileName }) => plain(fileName) !== plain(text));
}

function fileMessages(
  captions: readonly string[],
  files: readonly OutgoingFile[],
  quotedId: number | null,
): OutgoingMessage[] {
  const ofFiles = files.flatMap((file, index): OutgoingMessage[] => {
    const mediaType = mediaTypeOf(file.mimeType);
    const caption = captions[index] ?? "";
    const message = { mediaType, body: mediaType === "audio" ? "" : caption, data: null, quotedId: null, file };
    return mediaType === "audio" && caption !== "" ? [textMessage(caption, null), message] : [message];
  });
  const more = captions.slice(files.length).filter((text) => text !== "");
  return [...ofFiles, ...more.map((text) => textMessage(text, null))].map((message, index) =>
    index === 0 ? { ...message, quotedId } : message,
  );
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
