export { attributesOf, keyOf, messageOf, payloadOf } from "./encode-message.ts";
export { rememberUnknownLids } from "./lid-lookup-cache.ts";
export { Waiters } from "./pending-requests.ts";
export { Recipients } from "./recipients.ts";
export { refusal } from "./refusals.ts";
