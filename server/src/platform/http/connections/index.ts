export { capConnections, capsWithin, openableDescriptors, proxyTest } from "./connection-caps.ts";
export { createDrain } from "./drain.ts";
export type { Drain } from "./drain.ts";
export { bodyLimits, abortSlowBodies } from "./slow-bodies.ts";
