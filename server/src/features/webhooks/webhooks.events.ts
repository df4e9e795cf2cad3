import type { DomainEvent } from "#server/platform/ctx.ts";

export function webhookEvent(name: "created" | "updated" | "deleted", webhookId: number): DomainEvent {
  return { type: `webhook.${name}`, payload: { webhookId } };
}
