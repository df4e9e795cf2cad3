import type { Generated } from "kysely";

export interface QuickMessagesTable {
  id: Generated<number>;
  company_id: number;
  /** The author; null after the author was deleted. */
  user_id: number | null;
  shortcode: string;
  message: string;
  /** For all users of the company, or for its author only. */
  geral: boolean;
  /** Active ones are suggested in the composer. */
  status: boolean;
  media_path: string | null;
  media_name: string | null;
  /** The MIME type, found by the file's bytes. */
  media_type: string | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    quick_messages: QuickMessagesTable;
  }
}
