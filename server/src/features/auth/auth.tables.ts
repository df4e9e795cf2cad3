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

/** The authenticator app of a user. */
export interface SecondFactorsTable {
  user_id: number;
  company_id: number;
  /** Sealed. */
  secret: string;
  created_at: Date;
  /** Null until a first code was right. */
  confirmed_at: Date | null;
  /** The time step of the last code that was taken. */
  last_step: number;
}

/** A passkey: the public half of a key that a device keeps. */
export interface PasskeysTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

export interface RecoveryCodesTable {
  user_id: number;
  company_id: number;
  code_hash: string;
}

/** The stay of an operator in another company, with its consent (`support_grants`). */
export interface SupportSessionsTable {
  id: string;
  company_id: number;
  grant_id: number;
  operator_id: number;
  operator_name: string;
  home_session_id: string;
  began_at: Date;
  ended_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    sessions: SessionsTable;
    email_confirmations: EmailConfirmationsTable;
    second_factors: SecondFactorsTable;
    passkeys: PasskeysTable;
    recovery_codes: RecoveryCodesTable;
    support_sessions: SupportSessionsTable;
  }
}
