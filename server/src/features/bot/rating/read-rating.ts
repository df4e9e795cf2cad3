import { readRating as ratingOf } from "../answers/index.ts";

/** Behaviour 5, rule 2: ratings are read this long after the rating request. */
const ratingWindowMs = 30 * 60_000;

/** The rating in a contact's message within the window, in any form. Null: it starts a new episode. */
export function readRating(text: string, askedAt: Date | null, at: Date): 1 | 2 | 3 | null {
  return isRatingTime(askedAt, at) ? (ratingOf(text) ?? null) : null;
}

/** True within the window after the rating request. */
export function isRatingTime(askedAt: Date | null, at: Date): boolean {
  return askedAt !== null && at >= askedAt && at.getTime() - askedAt.getTime() <= ratingWindowMs;
}
