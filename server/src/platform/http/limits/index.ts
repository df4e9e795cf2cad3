export { createBucket, createRateLimiter, tooManyRequests } from "./rate-limit.ts";
export type { Rate, RateLimiter } from "./rate-limit.ts";
export {
  enforceSharedLimit,
  giveBackTokens,
  pruneLimits,
  readSharedTokens,
  resetSharedLimit,
  returnSharedTokens,
  spendTokens,
  takeSharedTokens,
  tokensNow,
} from "./shared-rate-limit.ts";
export { limitTokenGuesses } from "./token-guesses.ts";
export type { FindByToken } from "./token-guesses.ts";
export { limitTokenSaves } from "./token-saves.ts";
export type { GivenBack, SharedBucket } from "./shared-rate-limit.ts";
export type { Refusal } from "./await-outcomes.ts";
