import type { BodyOf, MediaType, messages } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { AppError } from "#server/platform/ctx.ts";
import type { StoredMedia } from "../media/index.ts";
import type { OutgoingMessage } from "./send-messages.ts";

type SendBody = BodyOf<typeof messages.send>;

/**
 * The messages of one POST: each file is one, the text is the caption of the first that can carry one. Voices cannot:
 * then the text goes first, by itself. ERR_VALIDATION where there is nothing to send: an empty text is never sent.
 */
export function toOutgoingMessages(
  body: SendBody,
  files: readonly Omit<StoredMedia, "messageId">[],
): OutgoingMessage[] {
  const quotedId = body.quotedMsgId ?? body.quotedMsg?.id ?? null;
  const text = isBlank(body.body) ? "" : body.body;
  if (files.length > 0) {
    return fileDrafts(text, files, quotedId);
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
  return [textDraft(text, quotedId)];
}

function fileDrafts(
  text: string,
  files: readonly Omit<StoredMedia, "messageId">[],
  quotedId: number | null,
): OutgoingMessage[] {
  const drafts = files.map((file): OutgoingMessage => {
    return { mediaType: mediaTypeOf(file.mimeType), body: "", data: null, quotedId: null, file };
  });
  const captioned = drafts.findIndex(({ mediaType }) => mediaType !== "audio");
  const all =
    text === "" || captioned >= 0
      ? drafts.map((draft, index) => (index === captioned ? { ...draft, body: text } : draft))
      : [textDraft(text, null), ...drafts];
  return all.map((draft, index) => (index === 0 ? { ...draft, quotedId } : draft));
}

function textDraft(body: string, quotedId: number | null): OutgoingMessage {
  return { mediaType: "chat", body, data: null, quotedId, file: null };
}

/** How a file is shown, by what it is. */
export function mediaTypeOf(contentType: string): MediaType {
  const [family = ""] = contentType.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "application";
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
