export {
  changeLively,
  createConnection,
  removeConnection,
  unchooseInConnections,
  updateConnection,
} from "./settings.service.ts";
export type { EndTraffic } from "./settings.service.ts";
