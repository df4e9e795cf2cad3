import type { Generated } from "kysely";

export interface QuickMessagesTable {
  id: Generated<number>;
  company_id: number;
  /** Who wrote it; null once that person is gone and nobody else's. */
  user_id: number | null;
  shortcode: string;
  message: string;
  /** Everybody's of the company, or only its author's. */
  geral: boolean;
  /** Offered in the composer. */
  status: boolean;
  media_path: string | null;
  media_name: string | null;
  /** By its bytes: image/png. */
  media_type: string | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    quick_messages: QuickMessagesTable;
  }
}
