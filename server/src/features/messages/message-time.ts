/**
 * Message times are whole seconds, as WhatsApp's are. Messages of one second are ordered by their row (behaviour 3), so a
 * reply is never shown before the question of the same second.
 */
export function truncateToSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1_000) * 1_000);
}

/** WhatsApp's clock may be this far ahead of ours; a time beyond that is taken as wrong (decision 0117). */
const maxClockSkewMs = 10 * 60_000;

/**
 * The time of an own message: now, but never before the last message of the chat, whose time is WhatsApp's. On a host whose
 * clock is seconds behind, the reply would otherwise be shown above the question.
 */
export function clampSendTime(now: Date, lastMessageAt: Date): Date {
  const own = truncateToSecond(now);
  return lastMessageAt > own && isPlausible(lastMessageAt, now) ? truncateToSecond(lastMessageAt) : own;
}

/** The time of a received message: WhatsApp's, unless that is far ahead of our clock; then it is our time. */
export function clampReceivedTime(sentAt: Date, now: Date): Date {
  return isPlausible(sentAt, now) ? sentAt : truncateToSecond(now);
}

function isPlausible(time: Date, now: Date): boolean {
  return time.getTime() - now.getTime() <= maxClockSkewMs;
}
