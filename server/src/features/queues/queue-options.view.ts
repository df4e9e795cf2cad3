import type { QueueOption } from "@prosa/contract";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { childrenOf } from "./option-tree.ts";
import type { QueueOptionRow } from "./queue-options.queries.ts";

/** The view of an option; `all` are the options of its queue, to count its children. */
export function queueOptionView(
  media: MediaLinks,
  companyId: number,
  row: QueueOptionRow,
  all: readonly QueueOptionRow[],
): QueueOption {
  return {
    id: row.id,
    queueId: row.queue_id,
    parentId: row.parent_id,
    title: row.title,
    message: row.message,
    option: row.option,
    position: row.position,
    mediaPath: row.media_path,
    mediaName: row.media_name,
    mediaUrl:
      row.media_path === null
        ? null
        : media.link({
            companyId,
            key: row.media_path,
            contentType: row.media_type ?? "application/octet-stream",
            ...(row.media_name !== null && { name: row.media_name }),
          }),
    fileListId: row.file_list_id,
    childrenCount: childrenOf(all, row.id).length,
  };
}
