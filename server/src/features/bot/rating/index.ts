export { applyRatings } from "./apply-ratings.ts";
export type { Rating } from "./apply-ratings.ts";
export { isRatingTime, readRating } from "./read-rating.ts";
