import { foldText } from "@prosa/contract/normalize-answer";

/** Behaviour 5, rule 2: ratings are read this long after the rating request. */
const ratingWindowMs = 30 * 60_000;

/** The rating in a contact's message: 1, 2 or 3 alone, within the window. Null: it starts a new episode. */
export function readRating(text: string, askedAt: Date | null, at: Date): 1 | 2 | 3 | null {
  if (!isRatingTime(askedAt, at)) {
    return null;
  }
  switch (foldText(text)) {
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

/** True within the window after the rating request. */
export function isRatingTime(askedAt: Date | null, at: Date): boolean {
  return askedAt !== null && at >= askedAt && at.getTime() - askedAt.getTime() <= ratingWindowMs;
}
