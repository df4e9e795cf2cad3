import type { HoldReason } from "@prosa/contract";

/** On whose behalf something is sent. */
export type Purpose = "campaign" | "schedule" | "bot" | "api" | "person";

/** What is known of a contact and its conversation on the line. */
export interface ContactFacts {
  readonly isGroup: boolean;
  readonly isBlocked: boolean;
  readonly isOptedOut: boolean;
  /** When the contact wrote last on the ticket, if that makes our message a reply; null: it starts a conversation. */
  readonly lastInboundAt: Date | null;
  /** We wrote there within a day: the conversation counts as started already. */
  readonly wroteToday: boolean;
}

/** What is known of the line. */
export interface LineFacts {
  /** What WhatsApp keeps it from; null: nothing. */
  readonly limit: { readonly reason: "limited" | "capped"; readonly until: Date } | null;
  /** Conversations that it has started on this day. */
  readonly startedToday: number;
  /** When the day of the company ends, and with it that sum. */
  readonly dayEndsAt: Date;
  /** The most of them by the company's rule; null: any number. */
  readonly dailyCap: number | null;
  /** The most of them by the warm-up plan, at the line's age; null: any number. */
  readonly warmUpLimit: number | null;
  /** When the work hours of campaigns begin; null: they have. */
  readonly opensAt: Date | null;
  /** When it may start the next conversation; null: at once. */
  readonly nextSlotAt: Date | null;
}

export type Decision =
  /** `counts`: one more conversation of the day; `takesSlot`: the line's next one waits for its gap. */
  | { readonly kind: "go"; readonly counts: boolean; readonly takesSlot: boolean }
  | { readonly kind: "hold"; readonly reason: HoldReason; readonly until: Date }
  | { readonly kind: "refuse"; readonly reason: "optedOut" | "blocked" };

/** Who wrote within this time is in the middle of a conversation: a campaign answers them at any hour. */
const conversationMs = 3_600_000;

const free = { kind: "go", counts: false, takesSlot: false } as const;

/** Do the company's own rules hold it? A person and the bot wait for WhatsApp alone. */
export const isBulk = (purpose: Purpose): boolean => purpose !== "person" && purpose !== "bot";

/**
 * What is decided whatever the line's state is; null: that decides. An opt-out refuses campaigns and schedules, even as replies.
 * A reply, to who wrote within 28 days, is never held, but a campaign keeps its pace and hours.
 */
export function decideByContact(contact: ContactFacts, purpose: Purpose): Decision | null {
  if (contact.isBlocked) {
    return { kind: "refuse", reason: "blocked" };
  }
  if (contact.isOptedOut && (purpose === "campaign" || purpose === "schedule")) {
    return { kind: "refuse", reason: "optedOut" };
  }
  const isReply = contact.lastInboundAt !== null;
  return contact.isGroup || (isReply && purpose !== "campaign") ? free : null;
}

/**
 * Whether the line may send it now (P-01, P-03). WhatsApp's limits hold whatever starts a conversation, a person's message too;
 * the company's cap and the warm-up plan hold what is sent in bulk, the work hours campaigns.
 */
export function decideByLine(contact: ContactFacts, line: LineFacts, purpose: Purpose, now: Date): Decision {
  const { limit, startedToday, dayEndsAt, dailyCap, warmUpLimit, opensAt, nextSlotAt } = line;
  const starts = contact.lastInboundAt === null;
  if (starts && limit) {
    return { kind: "hold", ...limit };
  }
  if (!isBulk(purpose)) {
    return free;
  }
  if (purpose === "campaign" && opensAt && !isTalking(contact, now)) {
    return { kind: "hold", reason: "hours", until: opensAt };
  }
  const counts = starts && !contact.wroteToday;
  if (counts && dailyCap !== null && startedToday >= dailyCap) {
    return { kind: "hold", reason: "dailyCap", until: dayEndsAt };
  }
  if (counts && warmUpLimit !== null && startedToday >= warmUpLimit) {
    return { kind: "hold", reason: "warmUp", until: dayEndsAt };
  }
  if (nextSlotAt && nextSlotAt > now) {
    return { kind: "hold", reason: "pace", until: nextSlotAt };
  }
  return { kind: "go", counts, takesSlot: true };
}

function isTalking({ lastInboundAt }: ContactFacts, now: Date): boolean {
  return lastInboundAt !== null && now.getTime() - lastInboundAt.getTime() <= conversationMs;
}
