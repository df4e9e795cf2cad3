import type { Generated } from "kysely";

export interface TagsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  color: string;
  /** 1: the tag is a lane of the kanban. */
  kanban: Generated<number>;
  /** Place of the lane on the board; null, behind those with one: nobody has ordered it yet. */
  lane_position: number | null;
  user_id: number | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    tags: TagsTable;
  }
}
