export interface SettingsTable {
  company_id: number;
  key: string;
  /** Encrypted where the key is a secret. */
  value: string;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    settings: SettingsTable;
  }
}
