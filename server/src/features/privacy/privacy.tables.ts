import type { Generated } from "kysely";

/** An erasure of a contact's data: what was asked, how far it is, and the hashes that stay. */
export interface ContactErasuresTable {
  id: Generated<number>;
  company_id: number;
  contact_id: number;
  user_id: number | null;
  requested_at: Date;
  state: Generated<"waiting" | "running" | "finished">;
  subject: Buffer | null;
  step: Generated<string>;
  erased: Generated<number>;
  finished_at: Date | null;
  marks: readonly string[];
}

/** An archive of a contact's data, until it expires. */
export interface ContactExportsTable {
  id: Generated<number>;
  company_id: number;
  contact_id: number;
  user_id: number | null;
  state: Generated<"waiting" | "finished" | "failed">;
  storage_key: string | null;
  size: string | null;
  requested_at: Date;
  expires_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    contact_erasures: ContactErasuresTable;
    contact_exports: ContactExportsTable;
  }
}
