export type { Cached, CacheRead } from "../ctx.ts";
export { allowLongTransaction } from "./allow-long-transaction.ts";
export { awaitServer, databaseName } from "./await-server.ts";
export {
  createScratchDatabase,
  dropDatabase,
  findLastSwap,
  inDatabase,
  loadSnapshot,
  onServer,
  openSnapshot,
  refuseInUse,
  swapDatabases,
} from "./backup/index.ts";
export type { Layout, Snapshot, TableLayout, TableRows } from "./backup/index.ts";
export { checkWritable } from "./check-writable.ts";
export type { CompanyCache } from "./company-cache.ts";
export type { Database } from "./database.ts";
export {
  countWrites,
  hasEmbedded,
  hasOtherClients,
  installedMajor,
  locateBinaries,
  majorOf,
  packageName,
  replaceCluster,
  startEmbedded,
} from "./embedded/index.ts";
export type { EmbeddedDatabase, EmbeddedOptions } from "./embedded/index.ts";
export { detachAtOnce, detachRows } from "./detach-rows.ts";
export { eraseRows } from "./erase-company.ts";
export { findRequested } from "./find-requested.ts";
export type { Topic, ListenNotify } from "./listen-notify.ts";
export { measurePools } from "./measure-pools.ts";
export { migrateToLatest } from "./migrate/index.ts";
export {
  beginMove,
  findFingerprint,
  forgetMoved,
  forgetMovedRows,
  moveTxIn,
  openDryMove,
  openMove,
  undoRun,
} from "./moving/index.ts";
export type { KnownRow, Moved, MoveSource, MoveTarget, MoveTx, NewRow, Undone } from "./moving/index.ts";
export { namedByText } from "./named-by-text.ts";
export { namesOneOf } from "./names-one-of.ts";
export { openDatabase } from "./open-database.ts";
export type { CompanyScope, DatabaseOptions, Db, SystemTx, TransactionReport } from "./open-database.ts";
export { overdueFromSql } from "./overdue-from.ts";
export type { RawQuery, Statement } from "./raw.ts";
export { checkRoles, prepareSignIn } from "./roles/index.ts";
export { keptCountSql } from "./kept-count.ts";
export { searchByName } from "./search-by-name.ts";
export { countStatements } from "./transactions/index.ts";
export type { StatementCount } from "./transactions/index.ts";
export { brokenConstraint } from "./violations.ts";
