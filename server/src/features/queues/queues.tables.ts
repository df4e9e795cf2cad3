import type { ScheduleDay } from "@prosa/contract";
import type { ColumnType, Generated } from "kysely";

export interface QueuesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  color: string;
  order_queue: Generated<number>;
  greeting_message: Generated<string>;
  complation_message: Generated<string>;
  out_of_hours_message: Generated<string>;
  rating_message: Generated<string>;
  integration_id: number | null;
  prompt_id: number | null;
  wait_warning_minutes: Generated<number>;
  wait_limit_minutes: Generated<number>;
  /** Days that resolved conversations are kept; null: the company's. */
  retention_days: number | null;
  token_hash: string | null;
  schedules: ColumnType<ScheduleDay[], string, string>;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    queues: QueuesTable;
  }
}
