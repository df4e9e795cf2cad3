export { ConnectionDialog } from "./ConnectionDialog.tsx";
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
export { LineLog } from "./LineLog.tsx";
export { QrDialog } from "./QrDialog.tsx";
export { VersionNotice } from "./VersionNotice.tsx";
