import type { QuickMessage } from "@prosa/contract";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { QuickMessageRow } from "./quick-messages.queries.ts";

export function quickMessageView(media: MediaLinks, companyId: number, row: QuickMessageRow): QuickMessage {
  const { id, shortcode, message, geral, status, media_path: key, media_name: name, media_type: type } = row;
  const file = key === null ? null : { companyId, key, contentType: type ?? "application/octet-stream" };
  return {
    id,
    shortcode,
    message,
    geral,
    status,
    isMedia: key !== null,
    mediaPath: key,
    mediaName: name,
    mediaUrl: file && media.link({ ...file, ...(name !== null && { name }) }),
    userId: row.user_id,
  };
}
