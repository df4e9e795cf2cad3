import type { Generated } from "kysely";

export interface QueueOptionsTable {
  id: Generated<number>;
  company_id: number;
  queue_id: number;
  parent_id: number | null;
  title: string;
  message: string;
  /** What the customer types to choose it. */
  option: string;
  /** From 0, among those with the same parent. */
  position: number;
  media_path: string | null;
  media_name: string | null;
  /** By its bytes: image/png. */
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
