import type { ContactImport } from "@prosa/contract";
import type { ColumnType, Generated } from "kysely";

export interface ContactImportsTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  source: ContactImport["source"];
  file_name: string | null;
  /** Where the file lies until the import has ended. */
  storage_key: string | null;
  is_book: Generated<boolean>;
  state: Generated<ContactImport["state"]>;
  failure: ContactImport["failure"];
  total: Generated<number>;
  done: Generated<number>;
  created: Generated<number>;
  known: Generated<number>;
  refused: Generated<number>;
  refused_rows: ColumnType<ContactImport["refusedRows"], string | undefined, string>;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** What is needed to take a merge back; read and written by merge.queries.ts alone. */
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
    contact_imports: ContactImportsTable;
    contact_merges: ContactMergesTable;
  }
}
