import type { ContactImport } from "@prosa/contract";
import type { ColumnType, Generated } from "kysely";

export interface ContactImportsTable {
  id: Generated<number>;
  company_id: number;
  /** Null after the user was deleted. */
  user_id: number | null;
  source: ContactImport["source"];
  file_name: string | null;
  /** The uploaded file's key in the storage, until the import has ended. */
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

declare module "#server/platform/db/database.ts" {
  interface Database {
    contact_imports: ContactImportsTable;
  }
}
