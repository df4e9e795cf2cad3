import { twoFactor } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { answerSession, callerOf } from "../auth.answer.routes.ts";
import { endOwnSession, listOwnSessions } from "../own-sessions/index.ts";
import { beginOwn, confirmOwn, disableOwn, getTwoFactor, renewOwnCodes } from "./own-second-factor.ts";
import { beginRequiredSetup, completeSecondStep, confirmRequiredSetup } from "./second-step.ts";

export function twoFactorRoutes(api: Api): void {
  const { services } = api;
  // Its transactions are the machinery's: nobody is signed in yet, or requests may not write what they change.
  const own = { transaction: "none" } as const;

  serve(
    api,
    twoFactor.signIn,
    async (_edge, { body, request, reply }) => {
      const session = await completeSecondStep(services, body, callerOf(request));
      return answerSession(services, session, request, reply);
    },
    own,
  );
  serve(
    api,
    twoFactor.beginRequired,
    async (_edge, { body, request }) => beginRequiredSetup(services, body.ticket, callerOf(request)),
    own,
  );
  serve(
    api,
    twoFactor.confirmRequired,
    async (_edge, { body, request, reply }) => {
      const { session, recoveryCodes } = await confirmRequiredSetup(services, body, callerOf(request));
      return { ...(await answerSession(services, session, request, reply)), recoveryCodes };
    },
    own,
  );

  serve(api, twoFactor.state, (ctx) => getTwoFactor(ctx));
  serve(api, twoFactor.begin, async (edge, { body }) => beginOwn(services, edge, body.password), own);
  serve(
    api,
    twoFactor.confirm,
    async (edge, { body }) => ({ recoveryCodes: await confirmOwn(services, edge, body.code) }),
    own,
  );
  serve(
    api,
    twoFactor.renewCodes,
    async (edge, { body }) => ({ recoveryCodes: await renewOwnCodes(services, edge, body.password) }),
    own,
  );
  serve(
    api,
    twoFactor.disable,
    async (edge, { body }) => {
      await disableOwn(services, edge, body.password);
      return { message: "Second factor removed" };
    },
    own,
  );

  serve(api, twoFactor.sessions, (ctx) => listOwnSessions(ctx));
  serve(
    api,
    twoFactor.endSession,
    async (edge, { params }) => {
      await endOwnSession(services, edge, params.id);
      return { message: "Session ended" };
    },
    own,
  );
}
