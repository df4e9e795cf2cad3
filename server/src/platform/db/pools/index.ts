export { takeClient, useOf } from "./pool-use.ts";
export type { PoolUse } from "./pool-use.ts";
export { appPool, systemPool } from "./pools.ts";
export { ask } from "./run-statement.ts";
export { typeParsers } from "./type-parsers.ts";
