import type { PlanFlag } from "@prosa/contract";
import type { Generated, Selectable } from "kysely";

export interface PlansTable {
  id: Generated<number>;
  name: string;
  /** How many of each a company may have. */
  users: Generated<number>;
  connections: Generated<number>;
  queues: Generated<number>;
  value: Generated<number>;
  /** Absent: true (specification 2 section 9). */
  flags: Generated<Partial<Record<PlanFlag, boolean>>>;
  is_public: Generated<boolean>;
  created_at: Generated<Date>;
}

export type PlanRow = Omit<Selectable<PlansTable>, "is_public" | "created_at">;

declare module "#server/platform/db/database.ts" {
  interface Database {
    plans: PlansTable;
  }
}
