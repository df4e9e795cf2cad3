import type { Generated } from "kysely";

export interface SchedulesTable {
  id: Generated<number>;
  company_id: number;
  contact_id: number;
  user_id: number | null;
  /** Null is the contact's own line, else the user's, else the default one. */
  connection_id: number | null;
  body: string;
  send_at: Date;
  sent_at: Date | null;
  is_late: Generated<boolean>;
  /** Why it could not be given to the conversation. */
  error: string | null;
  /** Of the message that it becomes. */
  client_id: string;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    schedules: SchedulesTable;
  }
}
