import type { Feature } from "#server/platform/feature.ts";
import { prunePasswordResets } from "./password-reset/index.ts";
import { publishPresence, publishUser, publishUserDeleted, userPayload } from "./users.realtime.ts";
import { usersRoutes } from "./users.routes.ts";
import type { DeletionPorts } from "./users.service.ts";

export function usersFeature(ports: DeletionPorts): Feature {
  return {
    name: "users",
    routes: (api) => usersRoutes(api, ports),

    events: () => ({
      "user.created": publishUser("create"),
      "user.updated": publishUser("update"),
      "user.presence": publishPresence,
      "user.deleted": publishUserDeleted,
    }),

    crons: (services) => [
      { name: "password-resets.prune", at: { hour: 4, minute: 25 }, run: () => prunePasswordResets(services) },
    ],

    // Permissions change with the row: drop the cached session, and recompute the rooms of the user's sockets.
    eventWatchers: ({ sessions }) => ({
      "user.updated": ({ payload }, sockets) => {
        const { userId } = userPayload.parse(payload);
        sessions.forgetUser(userId);
        sockets.resync(userId);
      },
      "user.deleted": ({ payload }, sockets) => {
        const { userId } = userPayload.parse(payload);
        sessions.forgetUser(userId);
        sockets.resync(userId);
      },
    }),
  };
}
