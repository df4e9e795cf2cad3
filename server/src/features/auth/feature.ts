import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import { endedSchema } from "./auth.events.ts";
import { authRoutes } from "./auth.routes.ts";
import { endSessionsOf, pruneSessions, sessionLoader } from "./auth.service.ts";

const userPayload = z.object({ userId: z.number(), except: z.string().nullable().default(null) });

export const feature: Feature = {
  name: "auth",
  routes: authRoutes,
  loadSession: ({ db, clock }) => sessionLoader(db, clock),

  // the other browser learns that its account went on elsewhere.
  events: () => ({
    "session.ended": async (batch, { companyId }) =>
      batch.flatMap(({ payload }) => {
        const { userId, keptSessionId } = endedSchema.parse(payload);
        return keptSessionId === null
          ? []
          : [
              {
                rooms: [userRoom(userId)],
                event: wireName(companyId, "auth"),
                payload: { action: "update", user: { id: userId }, sessionId: keptSessionId },
              },
            ];
      }),
  }),

  watches: ({ sessions }) => ({
    "session.ended": ({ payload }, sockets) =>
      endedSchema.parse(payload).sessionIds.forEach((sessionId) => {
        sessions.forgetSession(sessionId);
        sockets.endSession(sessionId);
      }),
  }),

  tasks: ({ db, clock }) => ({
    "auth.end-sessions": async ({ payload }) => {
      const { userId, except } = userPayload.parse(payload);
      await endSessionsOf(db, clock, userId, except);
    },
  }),

  crons: ({ db, clock }) => [
    { name: "sessions.prune", at: { hour: 4, minute: 20 }, run: () => pruneSessions(db, clock.now()) },
  ],
};
