import type { QueueOption } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
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
  const address = linkOfFile(media, companyId, row);
  return {
    id: row.id,
    queueId: row.queue_id,
    parentId: row.parent_id,
    title: row.title,
    message: row.message,
    option: row.option,
    position: row.position,
    mediaPath: address,
    mediaName: row.media_name,
    mediaUrl: address,
    fileListId: row.file_list_id,
    childrenCount: childrenOf(all, row.id).length,
  };
}
