import type { ConnectionStatus, LineReason, Provider } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { Generated } from "kysely";

export interface ConnectionsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  provider: Generated<Provider>;
  status: Generated<ConnectionStatus>;
  reason: LineReason | null;
  qrcode: Generated<string>;
  pairing_code: Generated<string>;
  /** Until when the pairing code can be typed. */
  pairing_expires_at: Date | null;
  number: string | null;
  /** A linked number other than `number` that nobody has accepted or refused yet. */
  pending_number: string | null;
  lid: string | null;
  /** Since when the line has its number; null: for longer than this is known. */
  linked_at: Date | null;
  is_default: Generated<boolean>;
  retries: Generated<number>;
  /** The desired state, set by an admin; the process that owns the line follows it. */
  wanted: Generated<"up" | "down">;
  /** Grows when the line's credentials are to be deleted. */
  session_round: Generated<number>;
  pairing_number: string | null;
  greeting_message: Generated<string>;
  complation_message: Generated<string>;
  out_of_hours_message: Generated<string>;
  rating_message: Generated<string>;
  token_hash: string | null;
  prompt_id: number | null;
  integration_id: number | null;
  transfer_queue_id: number | null;
  time_to_transfer: Generated<number>;
  expires_ticket: Generated<number>;
  expires_inactive_message: Generated<string>;
  max_use_bot_queues: Generated<number>;
  time_use_bot_queues: Generated<number>;
  language: Generated<Language>;
  is_lively: Generated<boolean>;
  /** Deleted since then, and hidden by row-level security; a job erases the rest. */
  deleted_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ConnectionQueuesTable {
  company_id: number;
  connection_id: number;
  queue_id: number;
  position: Generated<number>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    connections: ConnectionsTable;
    connection_queues: ConnectionQueuesTable;
  }
}
