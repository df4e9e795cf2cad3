import { randomUUID } from "node:crypto";
import type { BodyOf, messages } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { AppError } from "#server/platform/ctx.ts";
import type { Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { StoredMedia } from "./media.queries.ts";
import { mediaTypeOf, vcardOf } from "./messages.rules.ts";
import { factsOfPicture } from "./pictures.ts";
import type { Draft } from "./send-message.ts";

type SendBody = BodyOf<typeof messages.send>;

/**
 * The messages of one POST: each file is one, the text is the caption of the first that can carry one. Voices cannot:
 * then the text goes first, by itself. ERR_VALIDATION where there is nothing to send: an empty text is never sent.
 */
export function draftsOf(body: SendBody, files: readonly Omit<StoredMedia, "messageId">[]): Draft[] {
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

function fileDrafts(text: string, files: readonly Omit<StoredMedia, "messageId">[], quotedId: number | null): Draft[] {
  const drafts = files.map((file): Draft => {
    return { mediaType: mediaTypeOf(file.mimeType), body: "", data: null, quotedId: null, file };
  });
  const captioned = drafts.findIndex(({ mediaType }) => mediaType !== "audio");
  const all =
    text === "" || captioned >= 0
      ? drafts.map((draft, index) => (index === captioned ? { ...draft, body: text } : draft))
      : [textDraft(text, null), ...drafts];
  return all.map((draft, index) => (index === 0 ? { ...draft, quotedId } : draft));
}

function textDraft(body: string, quotedId: number | null): Draft {
  return { mediaType: "chat", body, data: null, quotedId, file: null };
}

/** Puts uploaded files into the storage, before any transaction: a message is stored with its file in place. */
export async function storeUploads(
  storage: Storage,
  companyId: number,
  uploads: readonly Upload[],
  isVoice: boolean,
): Promise<Omit<StoredMedia, "messageId">[]> {
  return Promise.all(
    uploads.map(async (upload) => {
      const { path, name, contentType } = upload;
      const key = storageKey(companyId, "messages", randomUUID());
      const [picture, { size }] = await Promise.all([
        factsOfPicture(path, contentType),
        storage.put(key, upload.stream(), { contentType }),
      ]);
      return {
        ...picture,
        storageKey: key,
        fileName: name,
        mimeType: contentType,
        size,
        seconds: null,
        isVoice: isVoice && contentType.startsWith("audio/"),
      };
    }),
  );
}
