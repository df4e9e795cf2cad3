import { passkeys } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { answerSession, callerOf } from "../auth.answer.routes.ts";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  passkeySignInOptions,
  removePasskey,
  signInWithPasskey,
} from "./passkeys.service.ts";

export function passkeyRoutes(api: Api): void {
  const { services } = api;
  const own = { transaction: "none" } as const;

  serve(api, passkeys.list, (ctx) => listPasskeys(ctx));
  serve(
    api,
    passkeys.begin,
    async (edge, { body }) => ({ options: { ...(await beginPasskey(services, edge, body.password)) } }),
    own,
  );
  serve(api, passkeys.add, async (edge, { body }) => addPasskey(services, edge, body), own);
  serve(
    api,
    passkeys.remove,
    async (edge, { params, body }) => {
      await removePasskey(services, edge, params.id, body.password);
      return { message: "Passkey removed" };
    },
    own,
  );
  serve(api, passkeys.signInOptions, async () => ({ options: { ...(await passkeySignInOptions(services)) } }), own);
  serve(
    api,
    passkeys.signIn,
    async (_edge, { body, request, reply }) => {
      const session = await signInWithPasskey(services, body.response, callerOf(request));
      return answerSession(services, session, request, reply);
    },
    own,
  );
}
