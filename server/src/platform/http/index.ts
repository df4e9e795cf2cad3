export { callerAddress } from "./caller-address.ts";
export { bearerOf } from "./gate.ts";
export { openApi } from "./openapi.ts";
export type { ReadinessCheck } from "./probes.ts";
export { createRateLimiter } from "./rate-limit.ts";
export type { Rate, RateLimiter } from "./rate-limit.ts";
export {
  forgetLimit,
  giveBackEverywhere,
  limitEverywhere,
  pruneLimits,
  takeEverywhere,
  tokensEverywhere,
} from "./shared-limit.ts";
export { JsonText } from "./response.ts";
export type { Answer } from "./response.ts";
export { serve } from "./serve.ts";
export type { Api, Edge, EdgeHandler, Handler, Input } from "./serve.ts";
export { createHttpServer } from "./server.ts";
export type { HttpOptions, HttpServer } from "./server.ts";
export type { Upload } from "./uploads.ts";
export { loadWebApp } from "./web-app.ts";
export type { WebApp } from "./web-app.ts";
