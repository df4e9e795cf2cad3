import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findColleague } from "./users.service.ts";
import { usersRoutes } from "./users.routes.ts";
import type { ReturnTicket } from "./users.service.ts";

const userPayload = z.object({ userId: z.number().int() });

/** Colleagues see names, queues and who is online; the rest of a user is read by admins over HTTP. */
const publishUser =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => userPayload.parse(payload).userId));
    const found = await read((ctx) => Promise.all([...ids].map((id) => findColleague(ctx, id))));
    return found
      .filter((user) => user !== undefined)
      .map((user) => ({ rooms: [everybody], event: wireName(companyId, "user"), payload: { action, user } }));
  };

export function usersFeature(options: { readonly returnTicket: ReturnTicket }): Feature {
  return {
    name: "users",
    routes: (api) => usersRoutes(api, options.returnTicket),

    events: () => ({
      "user.created": publishUser("create"),
      "user.updated": publishUser("update"),
      "user.presence": publishUser("update"),
      "user.deleted": async (batch, { companyId }) =>
        batch.map(({ payload }) => ({
          rooms: [everybody],
          event: wireName(companyId, "user"),
          payload: { action: "delete", userId: userPayload.parse(payload).userId },
        })),
    }),

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
