export { deleteSentPayloads } from "./erase/index.ts";
export { connectionEvent, connectionEventNames, lineLimitChanged } from "./connections.events.ts";
export { connectionIdSql, findConnectionFacts } from "./connections.queries.ts";
export type { ConnectionRow } from "./connections.queries.ts";
export { loadConnection } from "./connections.service.ts";
export { changeState, columnsOfState } from "./connections.state.ts";
export type { Ingest, TypingListener } from "./driver-host/index.ts";
export { countFailures, countStart, countStarts, readLineLimit } from "./health/index.ts";
export { limitAt, limitTimesSql } from "./line-limit.ts";
export type { LimitTimes } from "./line-limit.ts";
export type { LineLimitState } from "./line-limit.ts";
export { linesOf } from "./lines.ts";
export type { Lines } from "./lines.ts";
export type { LineRpcMethod } from "./rpc/index.ts";
export { renewConnection, startConnection, stopConnection } from "./session/index.ts";
export {
  setScriptedCustomers,
  createConnection,
  removeConnection,
  clearReferencesInConnections,
  updateConnection,
} from "./settings/index.ts";
export type { FailPendingOnLineDeletion } from "./settings/index.ts";
