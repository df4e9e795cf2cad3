import type { AnnouncementPriority } from "@prosa/contract";
import type { Generated } from "kysely";

/** Belongs to no company: all companies read the same rows. */
export interface AnnouncementsTable {
  id: Generated<number>;
  title: string;
  text: string;
  priority: AnnouncementPriority;
  /** Active ones are visible to companies. */
  status: boolean;
  /** The key of its image in the storage. */
  media_path: string | null;
  media_name: string | null;
  media_type: string | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    announcements: AnnouncementsTable;
  }
}
