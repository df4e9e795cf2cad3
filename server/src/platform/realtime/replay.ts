import { LRUCache } from "lru-cache";
import type { Db } from "../db/index.ts";
import { eventsSince } from "../events/index.ts";
import { emissionsOf } from "./emissions.ts";
import type { Emission, EventHandler, EventTools } from "./types.ts";

/** Packets that a socket missed while it was disconnected. */
export type Missed =
  | { readonly kind: "emissions"; readonly emissions: readonly Emission[]; readonly cursor: string }
  | { readonly kind: "refetch"; readonly cursor: string };

/** Beyond this a refetch is faster than a replay. */
const MAX_EVENTS = 300;
/** After a network outage all sockets of a company reconnect with about the same cursor and share one query. */
const SHARED_MS = 1_000;

export function createReplay(db: Db, handlers: ReadonlyMap<string, EventHandler>) {
  // Purged by a timer: an answer may be megabytes, and nobody may ask for its cursor again.
  const recent = new LRUCache<string, Promise<Missed>>({ max: 500, ttl: SHARED_MS, ttlAutopurge: true });

  async function load(tools: EventTools, cursor: string): Promise<Missed> {
    const missed = await eventsSince(db, cursor, { companyId: tools.companyId, limit: MAX_EVENTS });
    return missed.kind === "refetch"
      ? missed
      : { kind: "emissions", emissions: await emissionsOf(missed.events, handlers, tools), cursor: missed.cursor };
  }

  /** Packets of the company since `cursor`. Call after the socket joined its rooms, and filter the packets by them. */
  return async function loadMissed(tools: EventTools, cursor: string): Promise<Missed> {
    const key = `${tools.companyId} ${cursor}`;
    const shared = recent.get(key);
    if (!shared) {
      const answer = load(tools, cursor);
      recent.set(key, answer);
      answer.catch(() => recent.delete(key));
      return answer;
    }

    const first = await shared;
    if (first.kind === "refetch") {
      return first;
    }
    // The shared query may have run before this socket joined its rooms, so later packets are read as well.
    const rest = await load(tools, first.cursor);
    return rest.kind === "refetch" ? rest : { ...rest, emissions: [...first.emissions, ...rest.emissions] };
  };
}
