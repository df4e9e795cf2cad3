import type { Generated } from "kysely";

export interface QueueOptionsTable {
  id: Generated<number>;
  company_id: number;
  queue_id: number;
  parent_id: number | null;
  title: string;
  message: string;
  /** The answer that chooses it. */
  option: string;
  /** From 0, among those with the same parent. */
  position: number;
  media_path: string | null;
  media_name: string | null;
  /** The MIME type, detected from the bytes: image/png. */
  media_type: string | null;
  /** Bytes. */
  media_size: number | null;
  file_list_id: number | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    queue_options: QueueOptionsTable;
  }
}
