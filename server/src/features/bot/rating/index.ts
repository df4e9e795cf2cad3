export { isRatingTime, isThanksTime, readAfterEnd } from "./after-end.ts";
export type { AfterEnd, Ending } from "./after-end.ts";
export { applyRatings } from "./apply-ratings.ts";
export type { Rating } from "./apply-ratings.ts";
