import { hasPermission } from "@prosa/contract";
import type { Connection } from "@prosa/contract";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { ConnectionRow, StoredLimit } from "./connections.queries.ts";
import { healthOf, unlimited } from "./line-limit.ts";
import type { LineLimitState } from "./line-limit.ts";

/** With the QR and the pairing code, which link a phone: for users who may connect lines. */
export function connectionView(row: ConnectionRow, now: Date): Connection {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    reason: row.reason,
    qrcode: row.qrcode,
    pairingCode: row.pairing_code,
    pairingExpiresAt: row.pairing_expires_at?.toISOString() ?? null,
    number: row.number,
    pendingNumber: row.reason === "otherNumber" ? row.pending_number : null,
    numberHolder: row.number_holder,
    isDefault: row.is_default,
    provider: row.provider,
    retries: row.retries,
    greetingMessage: row.greeting_message,
    complationMessage: row.complation_message,
    outOfHoursMessage: row.out_of_hours_message,
    ratingMessage: row.rating_message,
    hasToken: row.has_token,
    promptId: row.prompt_id,
    integrationId: row.integration_id,
    transferQueueId: row.transfer_queue_id,
    timeToTransfer: row.time_to_transfer,
    expiresTicket: row.expires_ticket,
    expiresInactiveMessage: row.expires_inactive_message,
    maxUseBotQueues: row.max_use_bot_queues,
    timeUseBotQueues: row.time_use_bot_queues,
    language: row.language,
    queues: row.queues,
    health: healthOf(limitOf(row.limit), row.status === "DISCONNECTED" && row.reason === "banned", now),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** For all other users. */
export function withoutCodes(view: Connection): Connection {
  return { ...view, qrcode: "", pairingCode: "", pairingExpiresAt: null };
}

export function connectionViewFor({ actor, now }: Pick<Ctx, "actor" | "now">, row: ConnectionRow): Connection {
  const view = connectionView(row, now());
  return maySeeCodes(actor) ? view : withoutCodes(view);
}

function limitOf(stored: StoredLimit | null): LineLimitState {
  return stored === null
    ? unlimited
    : {
        lockedUntil: timeOf(stored.locked_until),
        lockCause: stored.lock_cause,
        quotaLevel: stored.quota_level,
        quotaUsed: stored.quota_used,
        quotaTotal: stored.quota_total,
        quotaUntil: timeOf(stored.quota_until),
      };
}

function timeOf(stored: string | null): Date | null {
  return stored === null ? null : new Date(stored);
}

function maySeeCodes(actor: Actor): boolean {
  return actor.kind !== "user" || hasPermission(actor, "connections-page:actionButtons");
}
