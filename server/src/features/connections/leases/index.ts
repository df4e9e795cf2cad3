export { changeOf, isToBeOpened } from "./desired-state.ts";
export type { Opened } from "./desired-state.ts";
export {
  LEASE_SECONDS,
  countLines,
  findLineWishes,
  holdLease,
  releaseLeases,
  renewLeases,
  takeLeases,
} from "./leases.queries.ts";
export type { LineWish } from "./leases.queries.ts";
export { hasSurplus, isShared, sharesOf, takenHere } from "./line-balancing.ts";
export type { Shares } from "./line-balancing.ts";
