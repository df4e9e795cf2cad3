export { createBaileysDriver } from "./driver.ts";
export { libraryVersion } from "./library.ts";
export { surviveStrayRejections } from "./session/index.ts";
export type { Timing } from "./timing.ts";
