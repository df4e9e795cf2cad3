export { createBaileysDriver } from "./driver.ts";
export type { Timing } from "./timing.ts";
