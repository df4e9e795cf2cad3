export { createLinePeers } from "./line-peers.ts";
export type { LinePeers } from "./line-peers.ts";
export { codeOf } from "./reconnect-policy.ts";
export { SessionManager } from "./session-manager.ts";
export type { Session } from "./session.ts";
export { surviveStrayRejections } from "./stray-rejections.ts";
