import { readFile } from "node:fs/promises";
import type { BodyOf, simulator } from "@prosa/contract";
import type { Content } from "@prosa/wa-sim";
import type { Upload } from "#server/platform/http/index.ts";

export type SendBody = BodyOf<typeof simulator.say>;
const OPUS = "audio/ogg; codecs=opus";

/** The contents that one request sends, in order: an edit, a deletion, a reaction, files, or a text. Empty for an empty text. */
export async function messageContents(
  body: Pick<SendBody, "body"> & Partial<SendBody>,
  files: readonly Upload[],
): Promise<Content[]> {
  if (body.edit !== undefined) {
    return [{ edit: { id: body.edit, text: body.body } }];
  }
  if (body.revoke !== undefined) {
    return [{ revoke: body.revoke }];
  }
  if (body.react !== undefined) {
    return [{ reaction: { id: body.react, emoji: body.body } }];
  }
  if (files.length === 0) {
    return body.body === "" ? [] : [body.body];
  }
  // A sound has no caption: the words go before it.
  const isBeside = body.body !== "" && files[0]!.contentType.startsWith("audio/");
  const contents = await Promise.all(
    files.map(async (file, index) =>
      fileContent(
        { ...file, bytes: await readFile(file.path) },
        { voice: body.voice, caption: index === 0 && !isBeside ? body.body : "" },
      ),
    ),
  );
  return isBeside ? [body.body, ...contents] : contents;
}

export interface SimFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A file as a phone sends it: images, videos and sounds by their kind, everything else as a document. */
export function fileContent(
  { name, contentType, bytes }: SimFile,
  { voice = false, caption = "" }: { readonly voice?: boolean | undefined; readonly caption?: string } = {},
): Content {
  const captionField = caption === "" ? {} : { caption };
  const [family] = contentType.split("/", 1);
  if (family === "image" && /^image\/(jpeg|png|webp)$/.test(contentType)) {
    return { image: bytes, mimetype: contentType, ...captionField };
  }
  if (family === "video") {
    return { video: bytes, mimetype: contentType, ...captionField };
  }
  if (family === "audio") {
    return { audio: bytes, mimetype: contentType === "audio/ogg" ? OPUS : contentType, ptt: voice };
  }
  return { document: bytes, fileName: name, mimetype: contentType, ...captionField };
}
