import type { HoldReason } from "@prosa/contract";
import type { Generated } from "kysely";

export interface SchedulesTable {
  id: Generated<number>;
  company_id: number;
  contact_id: number;
  user_id: number | null;
  /** Null: the contact's connection, else the user's, else the default one. */
  connection_id: number | null;
  body: string;
  send_at: Date;
  sent_at: Date | null;
  is_late: Generated<boolean>;
  /** The error code if it could not be sent. */
  error: string | null;
  /** Why it waits although it is due; null: it does not. */
  held_reason: HoldReason | null;
  held_until: Date | null;
  /** The client id of the message that is sent from it. */
  client_id: string;
  /** Made by the client that created it; unique in the company. Null: a client that makes none. */
  request_id: string | null;
  /** The storage key of the attached file; with it come name, MIME type (detected from the bytes) and size in bytes. */
  media_path: string | null;
  media_name: string | null;
  media_type: string | null;
  media_size: number | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    schedules: SchedulesTable;
  }
}
