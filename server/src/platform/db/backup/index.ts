export {
  createScratchDatabase,
  dropDatabase,
  findLastSwap,
  inDatabase,
  onServer,
  refuseInUse,
  swapDatabases,
} from "./databases.ts";
export { openSnapshot } from "./snapshot.ts";
export type { Layout, Snapshot, TableLayout } from "./snapshot.ts";
export { loadSnapshot } from "./load.ts";
export type { TableRows } from "./load.ts";
