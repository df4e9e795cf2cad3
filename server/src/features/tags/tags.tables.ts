import type { Generated } from "kysely";

export interface TagsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  color: string;
  /** 1: the tag is a lane of the kanban. */
  kanban: Generated<number>;
  user_id: number | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    tags: TagsTable;
  }
}
