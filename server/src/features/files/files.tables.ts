import type { Generated } from "kysely";

export interface FileListsTable {
  id: Generated<number>;
  company_id: number;
  /** Who made it; null after that user was deleted. */
  user_id: number | null;
  name: string;
  message: string;
  created_at: Generated<Date>;
}

export interface FileListOptionsTable {
  id: Generated<number>;
  company_id: number;
  file_list_id: number;
  /** Made by the client that added it; null of one that made none. */
  client_id: string | null;
  /** From 0. */
  position: number;
  /** The caption of its file. */
  name: string;
  media_path: string | null;
  media_name: string | null;
  /** The MIME type, detected from the bytes. */
  media_type: string | null;
  /** Bytes. */
  media_size: number | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    file_lists: FileListsTable;
    file_list_options: FileListOptionsTable;
  }
}
