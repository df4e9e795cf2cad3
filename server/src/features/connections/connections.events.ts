import type { DomainEvent } from "#server/platform/ctx.ts";

/**
 * What happens to a connection. `started`, `renewed` and `stopped` are wishes for the owner of its line; `state` is
 * what the line answers.
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
