/**
 * The race between a fetch and a socket event: a response may be older than an event that arrived while it was under way,
 * and would overwrite what the event put into the cache.
 */

let eventCount = 0;
const maxTries = 4;

/** Call for each event of a chat. */
export function countChatEvent(): void {
  eventCount += 1;
}

/** Fetches; again if an event arrived meanwhile. After `maxTries` the last response is taken as it is. */
export async function fetchWithoutRace<T>(fetch: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = eventCount;
    const response = await fetch();
    if (before === eventCount || tries === maxTries) {
      return response;
    }
  }
}
