import type { Generated } from "kysely";

/** Belongs to no company: all companies read the same rows. */
export interface HelpsTable {
  id: Generated<number>;
  title: string;
  description: Generated<string>;
  /** The id of the video on YouTube. */
  video: string;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    helps: HelpsTable;
  }
}
