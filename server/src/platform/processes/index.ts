export { isKnownDead, processName } from "./process-name.ts";
export { createProcessRegistry } from "./registry.ts";
export type { Neighbour, ProcessRegistry } from "./registry.ts";
