/**
 * Times of messages are whole seconds, as WhatsApp's own are: within one second the order of storing decides
 * (behaviour 3), and an answer never slips before the question of the same second.
 */
export function truncateToSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1_000) * 1_000);
}

/** So far WhatsApp's clock is believed to be ahead of ours; a time beyond that is wrong (decision 0117). */
const mostAheadMs = 10 * 60_000;

/**
 * When a message of ours is sent: now, and never before the last one of its chat, whose time is WhatsApp's. On a host
 * that is seconds behind, the answer would stand above its question.
 */
export function timeToSend(now: Date, lastMessageAt: Date): Date {
  const own = truncateToSecond(now);
  return lastMessageAt > own && isBelievable(lastMessageAt, now) ? truncateToSecond(lastMessageAt) : own;
}

/** When a message that came in was sent: as WhatsApp says, unless that is far ahead of our own clock. */
export function clampReceivedTime(said: Date, now: Date): Date {
  return isBelievable(said, now) ? said : truncateToSecond(now);
}

function isBelievable(time: Date, now: Date): boolean {
  return time.getTime() - now.getTime() <= mostAheadMs;
}
