import { limitAt } from "#server/features/connections/index.ts";
import type { LimitTimes } from "#server/features/connections/index.ts";

/** What is known of a queued message right before it is sent (`atLineColumns`). */
export interface AtLineFacts extends LimitTimes {
  /** Nobody wrote on its ticket within 28 days, and it is no group's. */
  readonly startsConversation: boolean;
  /** The line has not counted this conversation today, and nobody else counts it. */
  readonly countsAsStart: boolean;
  /** It is a campaign's or a schedule's, and its contact has opted out since it was stored. */
  readonly isOptedOut: boolean;
  /** It keeps the floor of a second to the line's other conversations. */
  readonly takesTurn: boolean;
}

export type AtLineDecision =
  | { readonly kind: "go" }
  | { readonly kind: "hold"; readonly until: Date }
  | { readonly kind: "refuse"; readonly reason: "optedOut" };

/**
 * The gate at the line (P-01, P-04): what was admitted may wait in a queue while WhatsApp locks the line or the contact opts out.
 * A reply is never held.
 */
export function decideAtLine(facts: AtLineFacts, now: Date): AtLineDecision {
  if (facts.isOptedOut) {
    return { kind: "refuse", reason: "optedOut" };
  }
  const limit = facts.startsConversation ? limitAt(facts, now) : null;
  return limit ? { kind: "hold", until: limit.until } : { kind: "go" };
}
