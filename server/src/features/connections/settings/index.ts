export {
  changeLively,
  createConnection,
  removeConnection,
  unchooseInConnections,
  updateConnection,
} from "./settings.service.ts";
export type { FailPendingOnLineDeletion } from "./settings.service.ts";
