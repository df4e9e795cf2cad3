/** One row at most, and none once there is an operator. */
export interface SetupCodeTable {
  only_one?: true;
  seed: string;
  made_at: Date;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    setup_code: SetupCodeTable;
  }
}
