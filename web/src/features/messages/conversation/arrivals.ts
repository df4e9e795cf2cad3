import { compareMessages, type Message } from "@prosa/contract/messages";

/** A burst, as after a lost network, is not read out to its beginning. */
const MAX_ARRIVALS = 5;

/**
 * Pure: the contact's newest messages that came after the newest one at the opening (undefined: there was none), oldest first. Older
 * pages and what was written here are no news.
 */
export function arrivalsAfter(newest: Message | undefined, messages: readonly Message[]): readonly Message[] {
  return messages
    .filter((message) => !message.fromMe && (newest === undefined || compareMessages(message, newest) > 0))
    .slice(-MAX_ARRIVALS);
}
