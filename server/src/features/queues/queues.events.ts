import type { DomainEvent } from "#server/platform/ctx.ts";

export const queueEvents = ["queue.created", "queue.updated", "queue.deleted"] as const;

export function queueCreated(queueId: number): DomainEvent {
  return { type: "queue.created", payload: { queueId } };
}

export function queueUpdated(queueId: number): DomainEvent {
  return { type: "queue.updated", payload: { queueId } };
}

export function queueDeleted(queueId: number): DomainEvent {
  return { type: "queue.deleted", payload: { queueId } };
}
