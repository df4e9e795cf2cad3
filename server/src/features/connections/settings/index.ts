export { ERASE_TASK, eraseDeletedConnection, removeConnection } from "./remove-connection.ts";
export type { FailPendingOnLineDeletion } from "./remove-connection.ts";
export {
  setScriptedCustomers,
  createConnection,
  clearReferencesInConnections,
  updateConnection,
} from "./settings.service.ts";
