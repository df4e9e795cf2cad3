import type { ChatImport } from "@prosa/contract";
import type { Generated } from "kysely";

export interface ChatImportsTable {
  id: Generated<number>;
  company_id: number;
  contact_id: number;
  user_id: number | null;
  /** The author who is the company. */
  me: string;
  storage_key: string | null;
  source_id: number;
  run_id: number;
  state: Generated<ChatImport["state"]>;
  failure: ChatImport["failure"];
  total: Generated<number>;
  done: Generated<number>;
  created: Generated<number>;
  known: Generated<number>;
  without_file: Generated<number>;
  misdated: Generated<number>;
  created_at: Date;
  finished_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    chat_imports: ChatImportsTable;
  }
}
