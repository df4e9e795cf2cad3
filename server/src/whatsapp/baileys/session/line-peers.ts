/** What the lines of one process know of each other. */
export interface LinePeers {
  /** How many lines other than this one received something in the last five minutes. */
  countActiveOthers(connectionId: number): number;
  recordActivity(connectionId: number): void;
  remove(connectionId: number): void;
  /** Was this client version refused for another line within the last minute? Then a reconnect need not try it. */
  isVersionRefused(client: string): boolean;
  recordRefusal(client: string): void;
  /** WhatsApp accepted a line with this client version. */
  recordAccepted(client: string): void;
}

const ACTIVE_WITHIN_MS = 5 * 60_000;
/** For this long a refusal of one line holds for the others of its process. Then the version may be accepted again. */
const REFUSED_FOR_MS = 60_000;

export function createLinePeers(): LinePeers {
  const receivedAt = new Map<number, number>();
  const refusedAt = new Map<string, number>();
  return {
    isVersionRefused: (client) => Date.now() - (refusedAt.get(client) ?? -Infinity) < REFUSED_FOR_MS,
    recordRefusal: (client) => void refusedAt.set(client, Date.now()),
    recordAccepted: (client) => void refusedAt.delete(client),
    recordActivity(connectionId) {
      receivedAt.set(connectionId, Date.now());
    },
    remove(connectionId) {
      receivedAt.delete(connectionId);
    },
    countActiveOthers(connectionId) {
      const since = Date.now() - ACTIVE_WITHIN_MS;
      return [...receivedAt].filter(([id, at]) => id !== connectionId && at > since).length;
    },
  };
}
