import type { Generated } from "kysely";

/** The VAPID keys of the installation, by which push services identify it. One row. */
export interface PushKeysTable {
  id: Generated<number>;
  public_key: string;
  private_key: Buffer;
  created_at: Generated<Date>;
}

/** A browser that gets pushes while it is closed. */
export interface PushSubscriptionsTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  /** The session in which it was subscribed. */
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
