export { handleIq } from "./handle-iq.ts";
export { handleMessage } from "./handle-message.ts";
export { handleAck, handleReceipt } from "./handle-receipt.ts";
export { logIn, sendBacklog, versionOf } from "./log-in.ts";
