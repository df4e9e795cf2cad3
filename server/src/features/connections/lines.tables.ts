import type { Generated } from "kysely";

export interface LineLeasesTable {
  connection_id: number;
  company_id: number;
  /** The process that runs the line. */
  owner: string;
  leased_until: Date;
}

export interface LineLogTable {
  id: Generated<number>;
  company_id: number;
  connection_id: number;
  event: string;
  detail: string | null;
  at: Generated<Date>;
}

export interface WaKeysTable {
  company_id: number;
  connection_id: number;
  kind: string;
  id: string;
  value: Buffer;
}

export interface WaCredsTable {
  connection_id: number;
  company_id: number;
  value: Buffer;
  /** The connection's session_round of the pairing that made them. */
  round: Generated<number>;
  updated_at: Generated<Date>;
}

export interface SentPayloadsTable {
  company_id: number;
  connection_id: number;
  wa_id: string;
  payload: Buffer;
  created_at: Generated<Date>;
}

export interface LineAnswersTable {
  id: string;
  company_id: number;
  answer: unknown;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    line_leases: LineLeasesTable;
    line_log: LineLogTable;
    wa_keys: WaKeysTable;
    wa_creds: WaCredsTable;
    sent_payloads: SentPayloadsTable;
    line_answers: LineAnswersTable;
  }
}
