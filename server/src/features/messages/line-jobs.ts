import type { Line } from "#server/whatsapp/port.ts";

/** The line of a connection; undefined where this process does not run it. */
export type FindLine = (connectionId: number) => Line | undefined;

/** While a line is not connected its messages stay queued; the job looks again after this time (ms). */
export const lineRetryMs = 2_000;

/**
 * The job lane of a chat at a line: its messages and changes are sent in order. A conversation that has moved to another
 * connection has a lane at each, so that a line that is gone holds up no other (decision 0271).
 */
export function chatLane(connectionId: number, ticketId: number): string {
  return `chat:${ticketId}:${connectionId}`;
}

/** The job affinity of a line: only the process that owns the line runs the job. */
export function lineAffinity(connectionId: number): string {
  return `line:${connectionId}`;
}
