import type { Generated } from "kysely";

/** One pair of keys for the installation (VAPID): push services know it by them. */
export interface PushKeysTable {
  id: Generated<number>;
  public_key: string;
  private_key: Buffer;
  created_at: Generated<Date>;
}

/** A browser that is rung while it is closed. */
export interface PushSubscriptionsTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  /** The sign-in that asked for it. */
  session_id: string;
  endpoint: string;
  keys: Buffer;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    push_keys: PushKeysTable;
    push_subscriptions: PushSubscriptionsTable;
  }
}
