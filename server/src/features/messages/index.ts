export type { Draft, Sent, SendOptions } from "./send-message.ts";
export { sendMessages } from "./send-message.ts";
