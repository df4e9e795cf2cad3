export { addressBlock, addressSite } from "./address-block.ts";
export { fetchPublic } from "./fetch-public.ts";
export type { FetchGuard } from "./fetch-public.ts";
export { guardedFetch } from "./guarded-fetch.ts";
export { isRefusedUrl, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";
export { postPublic } from "./post-public.ts";
export type { PostAnswer } from "./post-public.ts";
export { callFailure } from "./call-failure.ts";
export { newWebhookSecret, webhookHeaders } from "./sign-webhook.ts";
