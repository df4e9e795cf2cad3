import { LRUCache } from "lru-cache";
import type { UserFacingSocketConfig } from "../library.ts";

/** Calls of a line that have been offered and have not ended. */
export type CallOffers = NonNullable<UserFacingSocketConfig["callOfferCache"]>;

/** Far more than ring at once; those whose end never comes are forgotten by it. */
const MOST = 500;

/**
 * The library's cache of call offers, for all sockets of a line. Only the offer says whether a call is a group's or has video, and the
 * library would forget that with the socket: the end that comes after a reconnect would be a private call's.
 */
export function createCallOffers(): CallOffers {
  const offers = new LRUCache<string, object>({ max: MOST });
  return {
    get: <T>(callId: string) => offers.get(callId) as T | undefined,
    set: (callId, offer) => void offers.set(callId, offer as object),
    del: (callId) => void offers.delete(callId),
    flushAll: () => offers.clear(),
  };
}
