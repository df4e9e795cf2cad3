import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { MessageView } from "@prosa/wa-sim";
import type { SimLine } from "../simulator-line.ts";

/**
 * The signed URL of a message's file for the phone screen; null if it has none. The network keeps files encrypted, as
 * WhatsApp does, so the file is decrypted and copied into the company's storage at the first request.
 */
export async function mediaUrlOf(
  { storage, media, log }: Services,
  { companyId, number: line, client }: SimLine,
  { id, person, content, revoked }: MessageView,
): Promise<string | null> {
  if (!("mediaKey" in content) || revoked) {
    return null;
  }
  const key = storageKey(companyId, "simulator", `${line}-${person}-${id}`);
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
