export { createBaileysDriver } from "./driver.ts";
export { libraryVersion } from "./library.ts";
export { surviveStrayRejections } from "./stray-rejections.ts";
export type { Timing } from "./timing.ts";
