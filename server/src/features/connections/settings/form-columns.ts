import { isBlank } from "@prosa/contract/blank";
import type { ConnectionBody } from "@prosa/contract";
import { tokenHashOf } from "#server/platform/auth/index.ts";
import type { ConnectionChanges } from "../connections.queries.ts";

/** Form fields as columns; an absent field is no column. */
export function columnsOf(body: Partial<ConnectionBody>): ConnectionChanges {
  const columns: ConnectionChanges = {
    name: body.name,
    provider: body.provider,
    greeting_message: body.greetingMessage,
    complation_message: body.complationMessage,
    out_of_hours_message: body.outOfHoursMessage,
    rating_message: body.ratingMessage,
    prompt_id: body.promptId,
    integration_id: body.integrationId,
    transfer_queue_id: body.transferQueueId,
    time_to_transfer: body.timeToTransfer,
    expires_ticket: body.expiresTicket,
    expires_inactive_message: body.expiresInactiveMessage,
    max_use_bot_queues: body.maxUseBotQueues,
    time_use_bot_queues: body.timeUseBotQueues,
    language: body.language,
    token_hash: tokenHashOf(body.token),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** W-02: with several queues the customer must be asked which, so a greeting is needed. */
export function needsGreeting({ queues, greeting }: { queues: number; greeting: string }): boolean {
  return queues > 1 && isBlank(greeting);
}
