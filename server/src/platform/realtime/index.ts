export type { Refetch } from "./emissions.ts";
export { everybody, sessionRoom, userRoom } from "./parts.ts";
export type {
  Emission,
  EventHandler,
  EventTools,
  JoinArgument,
  JoinHandler,
  Live,
  LiveSockets,
  SocketUser,
} from "./parts.ts";
export { presenceEvent } from "./presence.ts";
export { createRealtime, noSockets } from "./realtime.ts";
export type { Realtime, SocketControl } from "./realtime.ts";
export { tellRecords } from "./tell-records.ts";
