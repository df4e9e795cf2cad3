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
  answered_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    integration_calls: IntegrationCallsTable;
  }
}
