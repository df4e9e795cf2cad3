import type { Generated } from "kysely";

/** One thing that somebody did. Append-only; see migration 0060. */
export interface AuditLogTable {
  id: Generated<string>;
  company_id: number;
  at: Date;
  actor_kind: string;
  user_id: number | null;
  user_name: string | null;
  action: string;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  contact_id: number | null;
  details: Record<string, unknown>;
  address: string | null;
  user_agent: string | null;
  salt: Buffer | null;
  personal_hash: Buffer;
  seq: string | null;
  hash: Buffer | null;
  /** By whose erasure the name and the details were emptied. */
  erased_contact_id: number | null;
}

/** The signed end of a company's chain, and what the last check found. */
export interface AuditHeadsTable {
  company_id: number;
  seq: string;
  hash: Buffer;
  signature: string;
  checked_at: Date | null;
  fault: Record<string, unknown> | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    audit_log: AuditLogTable;
    audit_heads: AuditHeadsTable;
  }
}
