import { healthAt, type ConnectionHealth } from "@prosa/contract/connections";
import type { Message } from "@prosa/contract/messages";
import { sendingConstants } from "@prosa/contract/sending";

const dayMs = 86_400_000;

/**
 * Until when a message of ours to this conversation would wait, because WhatsApp keeps its line from starting conversations and the
 * contact has not written within 28 days (P-04); empty: it goes at once. `hasOlder`: there are more messages than these, so if they
 * are all newer nothing is said. Pure.
 */
export function heldUntil(
  conversation: {
    readonly isGroup: boolean;
    readonly messages: readonly Pick<Message, "fromMe" | "createdAt">[];
    readonly hasOlder: boolean;
  },
  health: ConnectionHealth | undefined,
  now: number,
): string {
  const { isGroup, messages, hasOlder } = conversation;
  const repliesSince = now - sendingConstants.repliesUntilDays * dayMs;
  const times = messages.map(({ createdAt }) => Date.parse(createdAt));
  const isHeard = messages.some(({ fromMe }, index) => !fromMe && times[index]! > repliesSince);
  const isKnown = !hasOlder || times.some((time) => time <= repliesSince);
  const state = health && healthAt(health, new Date(now));
  return !isGroup && !isHeard && isKnown && state?.state === "limited" ? (state.until ?? "") : "";
}
