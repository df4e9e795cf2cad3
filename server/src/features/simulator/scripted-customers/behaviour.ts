/** Decides what scripted customers do. Pure: time and random numbers (0 to 1) are parameters. */

/** Time between two openings of one line: 20 to 60 s. */
const OPENING_INTERVAL_MS = [20_000, 60_000] as const;
/** Time to the first opening, short for a user who has just signed in. */
const FIRST_OPENING_MS = [5_000, 15_000] as const;
/** Customers of one line that may wait for a reply; no more write until one is answered. */
const MAX_WAITING = 12;
/** A customer starts a new topic only this long after the last message. */
const IDLE_AFTER_MS = 15 * 60_000;
/** A customer who got no reply for this long does not count as waiting any more. */
const WAITING_TTL_MS = 24 * 3_600_000;
/** Customers that are added to one line automatically. */
const MAX_CUSTOMERS = 40;
/** Replies of one customer, so that an exchange with a bot ends. */
const MAX_REPLIES_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

/** Messages that scripted customers of one line write in a day. */
export const MAX_MESSAGES_PER_DAY = 200;

export interface CustomerChat {
  readonly number: string;
  readonly name: string;
  /** Time of the last message in milliseconds; null without one. */
  readonly lastAt: number | null;
  /** True if the last message is the customer's. */
  readonly isWaiting: boolean;
}

/** A random number from 0 to 1. */
export type Random = () => number;

/** The time of the first opening after the line's customers started. */
export function firstOpeningAt(startedAt: number, random: Random): number {
  return startedAt + between(FIRST_OPENING_MS, random);
}

/** The time of the next opening of the line. */
export function nextOpeningAt(now: number, random: Random): number {
  return now + between(OPENING_INTERVAL_MS, random);
}

/** Chooses who opens a conversation now: a customer of the line, a new one, or nobody (null). */
export function chooseOpener(
  people: readonly CustomerChat[],
  now: number,
  random: Random,
): CustomerChat | "newCustomer" | null {
  const waiting = people.filter((one) => one.isWaiting && now - (one.lastAt ?? 0) < WAITING_TTL_MS);
  if (waiting.length >= MAX_WAITING) {
    return null;
  }
  const idle = people.filter((one) => one.lastAt === null || (!one.isWaiting && now - one.lastAt > IDLE_AFTER_MS));
  const mayGrow = people.length < MAX_CUSTOMERS;
  if (mayGrow && (idle.length === 0 || random() < 0.3)) {
    return "newCustomer";
  }
  return pick(idle, random) ?? null;
}

export interface Reaction {
  /** Times in milliseconds at which the customer reads, starts to type and sends a reply; null: sends none. */
  readonly readsAt: number;
  readonly typesAt: number;
  readonly writesAt: number | null;
}

/**
 * Plans a customer's reaction to a message. The reply comes more than 5 s after it, so that the bot takes it for read.
 * `repliedAt`: the times of the customer's earlier replies. */
export function planReaction(now: number, repliedAt: readonly number[], random: Random): Reaction {
  const readsAt = now + between([2_000, 4_000], random);
  const typesAt = readsAt + between([1_000, 3_000], random);
  const mayReply = repliedAt.filter((at) => now - at < HOUR_MS).length < MAX_REPLIES_PER_HOUR;
  const writesAt = mayReply && random() < 0.85 ? typesAt + between([3_500, 6_000], random) : null;
  return { readsAt, typesAt, writesAt };
}

export function pick<T>(from: readonly T[], random: Random): T | undefined {
  return from[Math.floor(random() * from.length)];
}

function between([least, most]: readonly [number, number], random: Random): number {
  return Math.round(least + random() * (most - least));
}
