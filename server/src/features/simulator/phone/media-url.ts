import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { FileOwner } from "#server/platform/storage/index.ts";
import type { MessageView } from "@prosa/wa-sim";
import type { SimLine } from "../simulator-line.ts";

const folder = "simulator";

/**
 * Copies of the network's files. No row refers to one: the nightly sweep deletes it, and who looks again gets it anew. So none outlives
 * the erasure of a person by more than the sweep's day (V-02).
 */
export const phoneFiles: FileOwner = {
  folder,
  referenced: () => Promise.resolve([]),
  visible: ({ companyId }, keys) => {
    const own = `company/${companyId}/${folder}/`;
    return Promise.resolve(keys.filter((key) => key.startsWith(own)));
  },
};

/**
 * The signed URL of a message's file for the phone screen; null if it has none. The network keeps files encrypted, as
 * WhatsApp does, so the file is decrypted and copied into the company's storage, for a day, when somebody looks.
 */
export async function mediaUrlOf(
  { storage, media, log }: Services,
  { companyId, number: line, client }: SimLine,
  { id, person, content, revoked }: MessageView,
): Promise<string | null> {
  if (!("mediaKey" in content) || revoked) {
    return null;
  }
  const key = storageKey(companyId, folder, `${line}-${person}-${id}`);
  if (!(await storage.stat(key))) {
    try {
      const { bytes } = await client.call("download", { number: person, id });
      await storage.put(key, bytes, { contentType: content.mimetype });
    } catch (error) {
      log.debug({ err: error, id }, "simulator file download failed");
      return null;
    }
  }
  return media.link({
    companyId,
    key,
    contentType: content.mimetype,
    ...(content.fileName !== undefined && { name: content.fileName }),
  });
}
