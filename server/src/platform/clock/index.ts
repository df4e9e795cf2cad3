export { createMovedClock, systemClock } from "./clock.ts";
export type { Clock, MovedClock } from "./clock.ts";
export { setCoalescedInterval } from "./coalesced-interval.ts";
