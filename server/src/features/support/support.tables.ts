import type { Generated } from "kysely";

/** A request of the operator, a consent of an admin, or both, one after the other. */
export interface SupportGrantsTable {
  id: Generated<number>;
  company_id: number;
  asked_by: Generated<number | null>;
  asked_by_name: Generated<string | null>;
  asked_at: Generated<Date | null>;
  reason: Generated<string>;
  granted_by: Generated<number | null>;
  granted_by_name: Generated<string | null>;
  granted_at: Generated<Date | null>;
  until: Generated<Date | null>;
  ended_at: Generated<Date | null>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    support_grants: SupportGrantsTable;
  }
}
