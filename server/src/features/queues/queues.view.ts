import type { Queue } from "@prosa/contract";
import type { QueueRow } from "./queues.queries.ts";

export function queueView(row: QueueRow): Queue {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    orderQueue: row.order_queue,
    greetingMessage: row.greeting_message,
    complationMessage: row.complation_message,
    outOfHoursMessage: row.out_of_hours_message,
    ratingMessage: row.rating_message,
    hasToken: row.has_token,
    integrationId: row.integration_id,
    promptId: row.prompt_id,
    waitWarningMinutes: row.wait_warning_minutes,
    waitLimitMinutes: row.wait_limit_minutes,
    retentionDays: row.retention_days,
    schedules: row.schedules,
  };
}
