export { connectionEvent, connectionHappenings } from "./connections.events.ts";
export type { ConnectionRow } from "./connections.queries.ts";
export {
  changeLively,
  createConnection,
  loadConnection,
  removeConnection,
  renewConnection,
  startConnection,
  stopConnection,
  unchooseInConnections,
  updateConnection,
} from "./connections.service.ts";
export type { EndTraffic } from "./connections.service.ts";
export { changeState, columnsOfState } from "./connections.state.ts";
export type { Ingest, TypingListener } from "./line-host.ts";
export type { Question } from "./line-questions.ts";
export { linesOf } from "./lines.ts";
export type { Lines } from "./lines.ts";
