/** Where did this browser stop hearing? Pure: the socket feeds it, a reconnect sends it, and it says when only a fetch helps. */

export interface Place {
  readonly cursor: string | undefined;
  /** A restart or restore of the database is a new one, and cursors of the old one mean nothing. */
  readonly epoch: string | undefined;
  /** Whether this browser was ever live: what it shows may be old. */
  readonly wasLive: boolean;
}

export const nowhere: Place = { cursor: undefined, epoch: undefined, wasLive: false };

/** A packet carries the cursor behind it. */
export function heard(place: Place, trailer: unknown): Place {
  const cursor = read(trailer, "cursor");
  return cursor === undefined ? place : { ...place, cursor };
}

/** The server is ready: from here on nothing is missed. `mustFetch` when the replay cannot cover what was. */
export function ready(place: Place, packet: unknown): { readonly place: Place; readonly mustFetch: boolean } {
  const epoch = read(packet, "epoch");
  const cursor = read(packet, "cursor") ?? place.cursor;
  // With a cursor the server replays, or says "refetch" itself: also when the epoch is another one. Without one nobody knows
  // what happened between the first fetches and now.
  const mustFetch = place.cursor === undefined;
  return { place: { cursor, epoch, wasLive: true }, mustFetch };
}

/** A cursor of this epoch is worth sending; the first handshake has none. */
export function handshake(place: Place): { readonly cursor?: string } {
  return place.cursor === undefined ? {} : { cursor: place.cursor };
}

/** Many browsers lose their line at once; they must not all ask at once (ms to wait, of at most so many). */
export function spread(withinMs: number, random: number): number {
  return Math.round(Math.max(0, withinMs) * random);
}

function read(packet: unknown, key: "cursor" | "epoch"): string | undefined {
  if (typeof packet !== "object" || packet === null || !(key in packet)) {
    return undefined;
  }
  const value = (packet as Record<string, unknown>)[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
