export { bearerOf } from "./authentication.ts";
export { loadWebApp } from "./files/index.ts";
export type { WebApp } from "./files/index.ts";
export {
  createRateLimiter,
  enforceSharedLimit,
  limitTokenSaves,
  giveBackTokens,
  pruneLimits,
  readSharedTokens,
  resetSharedLimit,
  returnSharedTokens,
  spendTokens,
  takeSharedTokens,
  tokensNow,
  tooManyRequests,
} from "./limits/index.ts";
export type { GivenBack, Rate, RateLimiter, Refusal, SharedBucket } from "./limits/index.ts";
export { forgetAnswers, pruneAnswers, sealedAnswers } from "./idempotency/index.ts";
export { openApi } from "./openapi/index.ts";
export type { ReadinessCheck } from "./probes.ts";
export { callerAddress, callerGone, compileGuestInput, languageOf, sniffType } from "./requests/index.ts";
export type { GuestInput, Upload } from "./requests/index.ts";
export { JsonText, refusalText } from "./responses/index.ts";
export type { ResponseValue } from "./responses/index.ts";
export { serve } from "./serve.ts";
export type { Api, OnceScope, RequestScope, RequestScopeHandler, Handler, Input } from "./serve.ts";
export { createHttpServer } from "./server.ts";
export type { HttpOptions, HttpServer } from "./server.ts";
