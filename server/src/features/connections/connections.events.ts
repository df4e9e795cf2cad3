import type { DomainEvent } from "#server/platform/ctx.ts";

/**
 * Events of a connection, without their prefix `connection.`. `started`, `renewed` and `stopped` change the desired
 * state; `state` is the actual state that the line reports.
 */
export const connectionEventNames = [
  "created",
  "updated",
  "deleted",
  "started",
  "renewed",
  "stopped",
  "state",
] as const;

export function connectionEvent(name: (typeof connectionEventNames)[number], connectionId: number): DomainEvent {
  return { type: `connection.${name}`, payload: { connectionId } };
}
