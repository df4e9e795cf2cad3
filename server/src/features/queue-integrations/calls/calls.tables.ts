import type { IntegrationCall } from "@prosa/contract";
import type { Generated } from "kysely";

export interface IntegrationCallsTable {
  id: Generated<number>;
  company_id: number;
  integration_id: number;
  delivery_id: string;
  ticket_id: number;
  request: string;
  state: Generated<IntegrationCall["state"]>;
  attempts: Generated<number>;
  status: number | null;
  error: string | null;
  answer: string | null;
  /** What is said to the customer, as the driver stored it. */
  reply: unknown;
  duration_ms: number | null;
  created_at: Date;
  /** When its last attempt ended; of one that is sent again by hand, when that was asked for. */
  answered_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    integration_calls: IntegrationCallsTable;
  }
}
