export { codeOf } from "./reconnect-policy.ts";
export { SessionKeeper } from "./session-manager.ts";
export type { Neighbours } from "./session-manager.ts";
export type { Session } from "./session.ts";
export { surviveStrayRejections } from "./stray-rejections.ts";
