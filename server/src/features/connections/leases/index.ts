export { reconcileAction, shouldConnect } from "./desired-state.ts";
export type { AppliedState } from "./desired-state.ts";
export { countLinesByStatus, findDesiredLines, holdLease, releaseLeases, acquireLeases } from "./leases.queries.ts";
export type { DesiredLine } from "./leases.queries.ts";
export { createLeaseRenewal } from "./lease-renewal.ts";
export type { HeldLease } from "./lease-renewal.ts";
export { hasSurplus, isMovable, balanceOf, linesToOpen } from "./line-balancing.ts";
export type { LineBalance } from "./line-balancing.ts";
export { releaseLeasesOfDeadProcesses } from "./release-dead-leases.ts";
