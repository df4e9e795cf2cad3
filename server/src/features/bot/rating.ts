import { plainLetters } from "#server/features/queues/index.ts";

/** Behaviour 5, rule 2: this long after a resolve that asked. */
export const ratingWindowMs = 30 * 60_000;

/** A bare 1, 2 or 3 within the window is a rating; anything else begins a new episode (null). */
export function readRating(text: string, askedAt: Date | null, at: Date): 1 | 2 | 3 | null {
  if (!isRatingTime(askedAt, at)) {
    return null;
  }
  switch (plainLetters(text)) {
    case "1":
      return 1;
    case "2":
      return 2;
    case "3":
      return 3;
    default:
      return null;
  }
}

/** Is an answer waited for at this moment? */
export function isRatingTime(askedAt: Date | null, at: Date): boolean {
  return askedAt !== null && at >= askedAt && at.getTime() - askedAt.getTime() <= ratingWindowMs;
}
