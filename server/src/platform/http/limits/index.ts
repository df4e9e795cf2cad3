export { createRateLimiter, refill } from "./rate-limit.ts";
export type { Rate, RateLimiter } from "./rate-limit.ts";
export {
  forgetLimit,
  giveBackEverywhere,
  limitEverywhere,
  pruneLimits,
  takeEverywhere,
  tokensEverywhere,
} from "./shared-rate-limit.ts";
