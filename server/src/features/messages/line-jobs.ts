import type { Line } from "#server/whatsapp/port.ts";

/** The line of a connection; undefined where this process does not run it. */
export type FindLine = (connectionId: number) => Line | undefined;

/** While a line is not connected its messages stay queued; the job looks again after this time (ms). */
export const lineRetryMs = 2_000;

/** The job lane of a chat: messages and changes of one chat are sent in order. */
export function chatLane(ticketId: number): string {
  return `chat:${ticketId}`;
}

/** The job affinity of a line: only the process that owns the line runs the job. */
export function lineAffinity(connectionId: number): string {
  return `line:${connectionId}`;
}
