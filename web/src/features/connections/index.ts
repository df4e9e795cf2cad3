export { ConnectionDialog } from "./ConnectionDialog.tsx";
export { HealthSentence } from "./HealthSentence.tsx";
export { ConnectionState } from "./ConnectionState.tsx";
export {
  connectionsOptions,
  connectionsRealtime,
  useConnections,
  useRemoveConnection,
  useSessionAction,
} from "./connections.api.ts";
export {
  connectionStatesRealtime,
  hasFallen,
  isTroubled,
  lineTrouble,
  useConnectionStates,
  type LineState,
} from "./connection-states.ts";
export { connectionMessages } from "./connections.i18n.ts";
export { LineHealth } from "./LineHealth.tsx";
export { LineLog } from "./LineLog.tsx";
export { QrDialog } from "./QrDialog.tsx";
export { VersionNotice } from "./VersionNotice.tsx";
