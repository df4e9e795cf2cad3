/** Position in the event stream: advanced by packets, sent on reconnect, and tells when only a refetch helps. Pure. */

export interface StreamPosition {
  readonly cursor: string | undefined;
  /** Changes with a restart or restore of the database, which invalidates older cursors. */
  readonly epoch: string | undefined;
  /** Whether this tab was ever live, so that its data may be stale. */
  readonly wasLive: boolean;
}

/** Where a tab begins: at the position that came with its session; without one its first fetches are repeated once it is live. */
export function startPosition(cursor: string | undefined): StreamPosition {
  return { cursor, epoch: undefined, wasLive: false };
}

/** Advances the cursor by the trailer of a packet. */
export function advanceCursor(position: StreamPosition, trailer: unknown): StreamPosition {
  const cursor = read(trailer, "cursor");
  return cursor === undefined ? position : { ...position, cursor };
}

/** Handles `ready`: no event is missed from here on. `mustFetch` when the replay cannot cover the gap. */
export function resumeStream(
  position: StreamPosition,
  packet: unknown,
): { readonly position: StreamPosition; readonly mustFetch: boolean } {
  const epoch = read(packet, "epoch");
  const cursor = read(packet, "cursor") ?? position.cursor;
  // With a cursor the server replays, or sends "refetch" itself, also after a change of epoch. Without one, events between
  // the first fetches and now are unknown.
  const mustFetch = position.cursor === undefined;
  return { position: { cursor, epoch, wasLive: true }, mustFetch };
}

/** The cursor to send in the handshake. */
export function handshake(position: StreamPosition): { readonly cursor?: string } {
  return position.cursor === undefined ? {} : { cursor: position.cursor };
}

/** A random delay of at most so many ms, so that browsers that lost their socket together do not refetch together. */
export function randomDelay(withinMs: number, random: number): number {
  return Math.round(Math.max(0, withinMs) * random);
}

function read(packet: unknown, key: "cursor" | "epoch"): string | undefined {
  if (typeof packet !== "object" || packet === null || !(key in packet)) {
    return undefined;
  }
  const value = (packet as Record<string, unknown>)[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
