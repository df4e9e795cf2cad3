export { createRateLimiter, refill } from "./rate-limit.ts";
export type { Rate, RateLimiter } from "./rate-limit.ts";
export {
  resetSharedLimit,
  returnSharedToken,
  enforceSharedLimit,
  pruneLimits,
  takeSharedTokens,
  readSharedTokens,
} from "./shared-rate-limit.ts";
