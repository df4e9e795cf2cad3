import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import { END_SESSIONS_TASK, endSessionsOfFormerRelease } from "./auth.end-sessions.ts";
import { sessionEndedSchema } from "./auth.events.ts";
import { authRoutes } from "./auth.routes.ts";
import { pruneSessions, sessionLoader } from "./auth.service.ts";
import { RECORD_REFUSED_TASK, recordRefusedSignIn } from "./auth.refused-sign-in.ts";
import { sealedSecrets } from "./two-factor/index.ts";
import { FAILED_SIGN_INS_TASK, notifyFailedSignIns } from "./auth.failed-sign-ins.ts";

export const feature: Feature = {
  name: "auth",
  routes: authRoutes,
  sealed: [sealedSecrets],
  loadSession: ({ db, clock }) => sessionLoader(db, clock),
  renamedTasks: [FAILED_SIGN_INS_TASK],
  tasks: (services) => ({
    [RECORD_REFUSED_TASK]: recordRefusedSignIn(services),
    [FAILED_SIGN_INS_TASK.name]: notifyFailedSignIns(services),
    // Until 0.3, for jobs of the release before 0.2.
    [END_SESSIONS_TASK]: endSessionsOfFormerRelease(services),
  }),

  // the other browser learns that its account has signed in elsewhere.
  events: () => ({
    "session.ended": async (batch, { companyId }) =>
      batch.flatMap(({ payload }) => {
        const { userId, keptSessionId } = sessionEndedSchema.parse(payload);
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

  eventWatchers: ({ sessions }) => ({
    "session.ended": ({ payload }, sockets) =>
      sessionEndedSchema.parse(payload).sessionIds.forEach((sessionId) => {
        sessions.forgetSession(sessionId);
        sockets.endSession(sessionId);
      }),
  }),

  crons: ({ db, clock }) => [
    { name: "sessions.prune", at: { hour: 4, minute: 20 }, run: () => pruneSessions(db, clock.now()) },
  ],
};
