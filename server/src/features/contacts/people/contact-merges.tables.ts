import type { ColumnType, Generated } from "kysely";

/** What is needed to undo a merge; only merge-contacts.queries.ts writes it. */
export interface ContactMergesTable {
  id: Generated<number>;
  company_id: number;
  user_id: number | null;
  kept_id: number;
  gone_id: number;
  snapshot: ColumnType<Record<string, unknown>, string, string>;
  merged_at: Date;
  undone_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    contact_merges: ContactMergesTable;
  }
}
