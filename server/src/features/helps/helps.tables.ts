import type { Generated } from "kysely";

/** Belongs to no company: everybody reads the same. */
export interface HelpsTable {
  id: Generated<number>;
  title: string;
  description: Generated<string>;
  /** The code of the video at its service. */
  video: string;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    helps: HelpsTable;
  }
}
