export { reconcileAction, shouldConnect } from "./desired-state.ts";
export type { AppliedState } from "./desired-state.ts";
export {
  LEASE_SECONDS,
  countLinesByStatus,
  findDesiredLines,
  holdLease,
  releaseLeases,
  renewLeases,
  acquireLeases,
} from "./leases.queries.ts";
export type { DesiredLine } from "./leases.queries.ts";
export { hasSurplus, isMovable, balanceOf, linesToOpen } from "./line-balancing.ts";
export type { LineBalance } from "./line-balancing.ts";
