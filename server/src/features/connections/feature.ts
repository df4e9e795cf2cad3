import type { Feature } from "#server/platform/feature.ts";
import { tellConnection, tellDeleted, tellState } from "./connections.realtime.ts";
import { connectionsRoutes } from "./connections.routes.ts";

export const feature: Feature = {
  name: "connections",
  routes: connectionsRoutes,
  events: () => ({
    "connection.created": tellConnection,
    "connection.updated": tellConnection,
    "connection.state": tellState,
    "connection.deleted": tellDeleted,
  }),
};
