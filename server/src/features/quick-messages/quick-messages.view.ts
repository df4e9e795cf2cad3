import type { QuickMessage } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { QuickMessageRow } from "./quick-messages.queries.ts";

export function quickMessageView(media: MediaLinks, companyId: number, row: QuickMessageRow): QuickMessage {
  const { id, shortcode, message, geral, status } = row;
  const address = linkOfFile(media, companyId, row);
  return {
    id,
    shortcode,
    message,
    geral,
    status,
    isMedia: address !== null,
    mediaPath: address,
    mediaName: row.media_name,
    mediaUrl: address,
    userId: row.user_id,
  };
}
