import type { Schedule } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { ScheduleRow } from "./schedules.queries.ts";

export function scheduleView(media: MediaLinks, companyId: number, row: ScheduleRow): Schedule {
  const { contactName, contactNumber, userName, sendAt, sentAt, heldUntil, mediaType, ...rest } = row;
  const file = { media_path: row.mediaPath, media_name: row.mediaName, media_type: mediaType };
  const link = linkOfFile(media, companyId, file);
  return {
    ...rest,
    contact: { id: row.contactId, name: contactName, number: contactNumber },
    user: row.userId === null ? null : { id: row.userId, name: userName ?? "" },
    sendAt: sendAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    heldUntil: heldUntil?.toISOString() ?? null,
    mediaPath: link,
    mediaUrl: link,
  };
}
