export { isKnownDead, processName } from "./process-name.ts";
export { createProcessRegistry } from "./registry.ts";
export type { PeerProcess, ProcessRegistry } from "./registry.ts";
