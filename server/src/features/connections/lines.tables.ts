import type { LimitCause, LineSignalKind, QuotaLevel } from "@prosa/contract";
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

/** What the provider limits a line to; no row: nothing. */
export interface LineLimitsTable {
  connection_id: number;
  company_id: number;
  new_chats_locked: Generated<boolean>;
  new_chats_locked_until: Date | null;
  lock_cause: LimitCause | null;
  quota_level: Generated<QuotaLevel>;
  quota_used: number | null;
  quota_total: number | null;
  quota_until: Date | null;
  updated_at: Date;
}

export interface LineSignalsTable {
  id: Generated<number>;
  company_id: number;
  connection_id: number;
  kind: LineSignalKind;
  detail: string | null;
  at: Date;
}

/** Sums of a day of the company's time zone. */
export interface LineDaysTable {
  connection_id: number;
  day: string;
  company_id: number;
  /** Conversations that the line started. */
  started: Generated<number>;
  /** Messages that the provider refused for good. */
  refused: Generated<number>;
  /** Messages that were given up for another reason. */
  failed: Generated<number>;
  disconnected: Generated<number>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    line_leases: LineLeasesTable;
    line_log: LineLogTable;
    wa_keys: WaKeysTable;
    wa_creds: WaCredsTable;
    sent_payloads: SentPayloadsTable;
    line_answers: LineAnswersTable;
    line_limits: LineLimitsTable;
    line_signals: LineSignalsTable;
    line_days: LineDaysTable;
  }
}
