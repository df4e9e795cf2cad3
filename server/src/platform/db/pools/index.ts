export { takeClient, readPoolUse } from "./pool-use.ts";
export type { PoolUse } from "./pool-use.ts";
export { openPipeline } from "./pipeline.ts";
export { appPool, endsHangingTransactions, systemPool } from "./pools.ts";
export { runStatement } from "./run-statement.ts";
export { typeParsers } from "./type-parsers.ts";
