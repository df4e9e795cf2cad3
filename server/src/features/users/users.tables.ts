import type { Profile } from "@prosa/contract";
import type { ColumnType, Generated } from "kysely";

export interface UsersTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  email: string;
  password_hash: string;
  /** Null for the first password. */
  password_changed_at: ColumnType<Date | null, Date | undefined>;
  profile: Generated<Profile>;
  is_super: Generated<boolean>;
  all_ticket: Generated<boolean>;
  connection_id: number | null;
  preferences: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Generated<Date>;
}

export interface UserQueuesTable {
  company_id: number;
  user_id: number;
  queue_id: number;
}

/** The link of an invited user. */
export interface InvitationsTable {
  user_id: number;
  company_id: number;
  invited_by: number | null;
  token_hash: string;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
}

/** The code by which a user may set a new password; gone once it was used. */
export interface PasswordResetsTable {
  user_id: number;
  company_id: number;
  code_hash: string;
  created_at: Date;
  expires_at: Date;
}

/** Written by platform/realtime. */
export interface UserPresenceTable {
  user_id: number;
  company_id: number;
  seen_at: Date;
  is_online: boolean;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    users: UsersTable;
    user_queues: UserQueuesTable;
    invitations: InvitationsTable;
    password_resets: PasswordResetsTable;
    user_presence: UserPresenceTable;
  }
}
