import type { Generated } from "kysely";

/** One row for each sign-in: the family of its refresh tokens, with the hashes of the current and the previous one. */
export interface SessionsTable {
  id: Generated<string>;
  company_id: number;
  user_id: number;
  refresh_hash: string;
  previous_hash: string | null;
  rotated_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  ended_reason: string | null;
  address: string | null;
  user_agent: string | null;
  created_at: Generated<Date>;
}

/** The link of a user who has not confirmed their e-mail; gone once they have. */
export interface EmailConfirmationsTable {
  user_id: number;
  company_id: number;
  token_hash: string;
  created_at: Date;
  expires_at: Date;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    sessions: SessionsTable;
    email_confirmations: EmailConfirmationsTable;
  }
}
