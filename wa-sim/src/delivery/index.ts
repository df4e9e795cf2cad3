export { placeCall, rejectCall } from "./calls.ts";
export type { Call, CallOptions } from "./calls.ts";
export { deliverGroupMessage, deliverMessage, editAttribute, encryptAgain, messageKey } from "./deliver-message.ts";
export { deliverReceipt, receiptKey } from "./deliver-receipt.ts";
export { deliverWithheld } from "./deliver-withheld.ts";
export type { Withheld } from "./deliver-withheld.ts";
