import { LRUCache } from "lru-cache";
import type { WASocket } from "../library.ts";

type LidMapping = Pick<WASocket["signalRepository"]["lidMapping"], "getLIDsForPNs" | "storeLIDPNMappings">;

const MOST = 10_000;
/** For this long an unknown LID is cached. */
const UNKNOWN_MS = 60_000;

/**
 * Caches that a number has no LID. The library looks up the LID of a number each time that it needs a session; it caches a
 * LID, but not that there is none. It also looks up while a message is in work, and while it holds the lock of all
 * sends: there the query would wait for a cut that waits for it (decision 0030). It has made the same lookup before,
 * outside of both, so its result is cached.
 */
export function cacheUnknownLids(mapping: LidMapping): void {
  const unknown = new LRUCache<string, true>({ max: MOST, ttl: UNKNOWN_MS });
  const find = mapping.getLIDsForPNs.bind(mapping);
  mapping.getLIDsForPNs = async (numbers) => {
    const asked = numbers.filter((number) => !unknown.has(userOf(number)));
    const pairs = asked.length > 0 ? await find(asked) : null;
    const known = new Set(pairs?.map(({ pn }) => userOf(pn)));
    for (const number of asked.filter((each) => !known.has(userOf(each)))) {
      unknown.set(userOf(number), true);
    }
    return pairs;
  };

  const store = mapping.storeLIDPNMappings.bind(mapping);
  mapping.storeLIDPNMappings = (pairs) => {
    for (const { lid, pn } of pairs) {
      unknown.delete(userOf(pn));
      unknown.delete(userOf(lid));
    }
    return store(pairs);
  };
}

/** All devices of a number have one LID. */
function userOf(jid: string): string {
  return jid.split(/[:@]/, 1)[0] ?? jid;
}
