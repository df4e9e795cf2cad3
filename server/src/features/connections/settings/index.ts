export {
  setScriptedCustomers,
  createConnection,
  removeConnection,
  clearReferencesInConnections,
  updateConnection,
} from "./settings.service.ts";
export type { FailPendingOnLineDeletion } from "./settings.service.ts";
