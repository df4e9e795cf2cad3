export type { Refetch } from "./emissions.ts";
export { everybody, sessionRoom, userRoom } from "./types.ts";
export type {
  Emission,
  EventHandler,
  EventTools,
  JoinArgument,
  JoinHandler,
  EphemeralFeature,
  EphemeralSockets,
  SocketUser,
} from "./types.ts";
export { presenceEvent } from "./presence.ts";
export { createRealtime, noSockets } from "./realtime.ts";
export type { Realtime, SocketControl } from "./realtime.ts";
export { publishRecords, recordPackets } from "./publish-records.ts";
