export interface SettingsTable {
  company_id: number;
  key: string;
  /** Sealed where the key is a secret. */
  value: string;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    settings: SettingsTable;
  }
}
