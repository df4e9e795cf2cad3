import { randomUUID } from "node:crypto";
import type { Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { StoredMedia } from "./media.queries.ts";
import { readPictureMetadata } from "./picture-metadata.ts";

/** Moves uploads into the storage before the transaction that stores their messages: a message never lacks its file. */
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
        readPictureMetadata(companyId, path, contentType),
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
