import type { Announcement } from "@prosa/contract";
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
function imageUrl(media: MediaLinks, { media_path: key, media_name: name, media_type: type }: AnnouncementRow) {
  if (key === null) {
    return null;
  }
  const companyId = Number(key.split("/")[1]);
  return media.link({ companyId, key, contentType: type ?? "application/octet-stream", name: name ?? undefined });
}
