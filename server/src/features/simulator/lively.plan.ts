/** What simulated people do by themselves: decisions only, over a given time and given chance (0 to 1). */

/** A line's people write first so often: 20 to 60 s apart. */
const FIRST_EVERY_MS = [20_000, 60_000] as const;
/** Somebody who has just signed in sees the first of them soon. */
const VERY_FIRST_MS = [5_000, 15_000] as const;
/** As many may wait for an answer; more would be a crowd that nobody serves. */
const MOST_WAITING = 12;
/** After the last message somebody begins anew only when the conversation has cooled down. */
const COLD_AFTER_MS = 15 * 60_000;
const WAITING_FOR_MS = 24 * 3_600_000;
/** A line grows to so many people by itself. */
const MOST_PEOPLE = 40;
/** An endless exchange with a greeting robot is no conversation. */
const MOST_ANSWERS_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

/** Messages that people of one line write by themselves in a day. */
export const MOST_A_DAY = 200;

export interface Acquaintance {
  readonly number: string;
  readonly name: string;
  /** Milliseconds; null where nothing was said yet. */
  readonly lastAt: number | null;
  /** Was the last word the person's? */
  readonly isWaiting: boolean;
}

export type Chance = () => number;

/** When somebody first writes after the line's people came to life. */
export function veryFirstAt(bornAt: number, chance: Chance): number {
  return bornAt + between(VERY_FIRST_MS, chance);
}

/** When somebody of the line next writes first. */
export function nextFirstAt(now: number, chance: Chance): number {
  return now + between(FIRST_EVERY_MS, chance);
}

/** Who writes first now: one who is known, somebody new, or nobody. */
export function whoWritesFirst(
  people: readonly Acquaintance[],
  now: number,
  chance: Chance,
): Acquaintance | "newcomer" | null {
  const waiting = people.filter((one) => one.isWaiting && now - (one.lastAt ?? 0) < WAITING_FOR_MS);
  if (waiting.length >= MOST_WAITING) {
    return null;
  }
  const cold = people.filter((one) => one.lastAt === null || (!one.isWaiting && now - one.lastAt > COLD_AFTER_MS));
  const mayGrow = people.length < MOST_PEOPLE;
  if (mayGrow && (cold.length === 0 || chance() < 0.3)) {
    return "newcomer";
  }
  return pick(cold, chance) ?? null;
}

export interface Reaction {
  /** Moments at which the person looks, begins to type and writes, in milliseconds. */
  readonly readsAt: number;
  readonly typesAt: number;
  readonly writesAt: number | null;
}

/** How a person meets what an agent wrote. `answered`: when they answered before. */
export function reactionTo(now: number, answered: readonly number[], chance: Chance): Reaction {
  const readsAt = now + between([1_000, 4_000], chance);
  const typesAt = readsAt + between([1_000, 3_000], chance);
  const isTalkative = answered.filter((at) => now - at < HOUR_MS).length < MOST_ANSWERS_AN_HOUR;
  const writesAt = isTalkative && chance() < 0.85 ? typesAt + between([2_000, 6_000], chance) : null;
  return { readsAt, typesAt, writesAt };
}

export function pick<T>(from: readonly T[], chance: Chance): T | undefined {
  return from[Math.floor(chance() * from.length)];
}

function between([least, most]: readonly [number, number], chance: Chance): number {
  return Math.round(least + chance() * (most - least));
}
