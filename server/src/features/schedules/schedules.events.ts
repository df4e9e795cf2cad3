import type { DomainEvent } from "#server/platform/ctx.ts";

export function scheduleEvent(what: "created" | "updated" | "deleted", scheduleId: number): DomainEvent {
  return { type: `schedule.${what}`, payload: { scheduleId } };
}
