import type { Announcement } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { AnnouncementRow } from "./announcements.queries.ts";

export function announcementView(media: MediaLinks, row: AnnouncementRow): Announcement {
  const { id, title, text, priority, status, media_name: mediaName, created_at: createdAt } = row;
  return {
    id,
    title,
    text,
    priority,
    status,
    mediaPath: imageUrl(media, row),
    mediaName,
    createdAt: createdAt.toISOString(),
  };
}

/** The file is stored with the company of the operator who uploaded it. Its signed URL works for users of all companies. */
function imageUrl(media: MediaLinks, row: AnnouncementRow) {
  return linkOfFile(media, Number(row.media_path?.split("/")[1]), row);
}
