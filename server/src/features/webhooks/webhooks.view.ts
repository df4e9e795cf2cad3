import type { Webhook } from "@prosa/contract";
import type { WebhookRow } from "./webhooks.queries.ts";

export function webhookView(row: WebhookRow): Webhook {
  return {
    ...row,
    failingSince: row.failingSince?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
