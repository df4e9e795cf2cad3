import type { DomainEvent } from "#server/platform/ctx.ts";

/** Events of a connection, without their prefix `connection.`. `started`, `renewed` and `stopped` change the desired state. */
export const connectionEventNames = ["created", "updated", "deleted", "started", "renewed", "stopped"] as const;

/**
 * Events of its line. `state`: the actual state; `limitChanged`: what the provider limits it to has changed or ended;
 * `signalled`: a failure or a disconnection was counted (P-04).
 */
type LineEventName = "state" | "limitChanged" | "signalled";

/** For who waits until a line may start conversations again. Its payload names the connection. */
export const lineLimitChanged = "connection.limitChanged";

export function connectionEvent(
  name: (typeof connectionEventNames)[number] | LineEventName,
  connectionId: number,
): DomainEvent {
  return { type: `connection.${name}`, payload: { connectionId } };
}
