import type { Webhook, WebhookDelivery } from "@prosa/contract";
import type { Generated } from "kysely";

export interface WebhooksTable {
  id: Generated<number>;
  company_id: number;
  url: string;
  description: string;
  events: string[];
  /** Encrypted. */
  secret: Buffer | null;
  is_active: Generated<boolean>;
  switched_off: Webhook["switchedOff"];
  failing_since: Date | null;
  created_at: Date;
}

/** The outbox that the trigger of event_log fills. */
export interface WebhookEventsTable {
  id: Generated<number>;
  company_id: number;
  webhook_id: Generated<string>;
  type: string;
  payload: Readonly<Record<string, unknown>>;
  at: Generated<Date>;
}

export interface WebhookDeliveriesTable {
  id: Generated<number>;
  company_id: number;
  endpoint_id: number;
  webhook_id: string;
  type: string;
  /** What is delivered in order: `ticket:7`. */
  subject: string;
  body: string;
  state: Generated<WebhookDelivery["state"]>;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  duration_ms: number | null;
  created_at: Date;
  delivered_at: Date | null;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    webhooks: WebhooksTable;
    webhook_events: WebhookEventsTable;
    webhook_deliveries: WebhookDeliveriesTable;
  }
}
