import type { FileList } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { FileListRow } from "./files.queries.ts";

export function fileListView(media: MediaLinks, companyId: number, row: FileListRow): FileList {
  return {
    id: row.id,
    name: row.name,
    message: row.message,
    options: row.options.map((option) => ({
      id: option.id,
      name: option.name,
      path: linkOfFile(media, companyId, option),
      mediaType: option.media_type,
      mediaName: option.media_name,
    })),
    userId: row.user_id,
    createdAt: row.created_at.toISOString(),
  };
}
