import type { Line } from "#server/whatsapp/port.ts";

/** The line of a connection, where this process runs it. */
export type FindLine = (connectionId: number) => Line | undefined;

/** While a line is away its messages stay queued, and are looked at again this often. */
export const awayMs = 2_000;

/** The lane in which everything that leaves for a chat goes, in order. */
export function laneOf(ticketId: number): string {
  return `chat:${ticketId}`;
}

/** Only the process that owns the line can do it. */
export function affinityOf(connectionId: number): string {
  return `line:${connectionId}`;
}
