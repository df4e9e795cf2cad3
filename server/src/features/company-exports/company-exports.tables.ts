import type { CompanyExport } from "@prosa/contract";
import type { Generated } from "kysely";

/** An archive of everything of a company, until it expires. */
export interface CompanyExportsTable {
  id: Generated<number>;
  company_id: number;
  user_id: number | null;
  state: Generated<CompanyExport["state"]>;
  failure: CompanyExport["failure"];
  done: Generated<string>;
  total: Generated<string>;
  storage_key: string | null;
  size: string | null;
  requested_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    company_exports: CompanyExportsTable;
  }
}
