export { stanzaAttributes, messageKeyOf, encodeMessage, serializeMessage } from "./encode-message.ts";
export { cacheUnknownLids } from "./lid-lookup-cache.ts";
export { PendingRequests } from "./pending-requests.ts";
export { RecipientDevices } from "./recipients.ts";
export { refusalError } from "./refusals.ts";
