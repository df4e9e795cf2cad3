import type { Profile } from "@prosa/contract";

export interface ApiKeysTable {
  id: string;
  company_id: number;
  /** Who made it, and in whose name it acts. */
  user_id: number;
  name: string;
  beginning: string;
  /** SHA-256 of the key. */
  key_hash: string;
  profile: Profile;
  scopes: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    api_keys: ApiKeysTable;
  }
}
