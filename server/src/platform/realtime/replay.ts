import { LRUCache } from "lru-cache";
import type { Db } from "../db/index.ts";
import { eventsSince } from "../events/index.ts";
import { emissionsOf } from "./emissions.ts";
import type { Emission, EventHandler, EventTools } from "./parts.ts";

/** What a socket missed while it was away. */
export type Missed =
  | { readonly kind: "emissions"; readonly emissions: readonly Emission[]; readonly cursor: string }
  | { readonly kind: "refetch"; readonly cursor: string };

/** More is quicker fetched anew. */
const MOST_EVENTS = 300;
/** After a drop of the network all sockets of a company come back with about the same cursor: asked once for all. */
const SHARED_MS = 1_000;

export function createReplay(db: Db, handlers: ReadonlyMap<string, EventHandler>) {
  const asked = new LRUCache<string, Promise<Missed>>({ max: 500, ttl: SHARED_MS });

  async function look(tools: EventTools, cursor: string): Promise<Missed> {
    const missed = await eventsSince(db, cursor, { companyId: tools.companyId, limit: MOST_EVENTS });
    return missed.kind === "refetch"
      ? missed
      : { kind: "emissions", emissions: await emissionsOf(missed.events, handlers, tools), cursor: missed.cursor };
  }

  /** Packets of the company since `cursor`, for a socket that has entered its rooms; it keeps those for its rooms. */
  return async function missedSince(tools: EventTools, cursor: string): Promise<Missed> {
    const key = `${tools.companyId} ${cursor}`;
    const shared = asked.get(key);
    if (!shared) {
      const answer = look(tools, cursor);
      asked.set(key, answer);
      answer.catch(() => asked.delete(key));
      return answer;
    }

    const first = await shared;
    if (first.kind === "refetch") {
      return first;
    }
    // It may have been asked before this socket entered its rooms: what came between is looked up besides.
    const rest = await look(tools, first.cursor);
    return rest.kind === "refetch" ? rest : { ...rest, emissions: [...first.emissions, ...rest.emissions] };
  };
}
