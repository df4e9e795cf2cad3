import { auth, sessionRules, signUps } from "@prosa/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "#server/platform/ctx.ts";
import { bearerOf, callerAddress, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { AccessClaims } from "#server/platform/auth/index.ts";
import { passkeyRoutes } from "./passkeys/index.ts";
import { twoFactorRoutes } from "./two-factor/index.ts";
import { confirmEmail } from "./email-confirmation/index.ts";
import { answerSession, callerOf, cookieOptions } from "./auth.answer.routes.ts";
import { storeKeyOf } from "./auth.store-key.ts";
import { claimsOfCookie, requireCompanyAccess, refreshSession, sessionUser, signOut } from "./auth.service.ts";
import { signIn } from "./auth.sign-in.ts";
import { isSupportId, supportUser } from "./support-sessions/index.ts";

export function authRoutes(api: Api): void {
  const { services } = api;
  twoFactorRoutes(api);
  passkeyRoutes(api);

  serve(
    api,
    auth.login,
    async (_edge, { body, request, reply }) => {
      const session = await signIn(services, body, callerOf(request));
      return answerSession(services, session, request, reply);
    },
    { transaction: "none" },
  );

  serve(
    api,
    auth.refresh,
    async (_edge, { request, reply }) => {
      try {
        const session = await refreshSession(services, cookieOf(request), callerOf(request));
        return await answerSession(services, session, request, reply);
      } catch (error) {
        if (error instanceof AppError && error.code === "ERR_NOT_SIGNED_IN") {
          reply.clearCookie(sessionRules.refreshCookie, cookieOptions(services, request));
        }
        throw error;
      }
    },
    { transaction: "none" },
  );

  serve(
    api,
    auth.logout,
    async (_edge, { request, reply }) => {
      const claims = await claimsOf(services, request);
      if (claims) {
        await signOut(services, claims.sessionId);
      }
      reply.clearCookie(sessionRules.refreshCookie, cookieOptions(services, request));
      return { message: "Signed out" };
    },
    { transaction: "none" },
  );

  serve(
    api,
    signUps.confirmEmail,
    async (_edge, { body, request }) => {
      await confirmEmail(services, body.token, callerAddress(request));
      return { message: "E-mail confirmed" };
    },
    { transaction: "none" },
  );

  serve(
    api,
    auth.storeKey,
    async (_edge, { request }) => ({
      key: storeKeyOf(services.signer, (await liveClaimsOf(services, request)).sessionId),
    }),
    { transaction: "none" },
  );

  serve(
    api,
    auth.me,
    async (_edge, { request }) => {
      const claims = await liveClaimsOf(services, request);
      if (isSupportId(claims.sessionId)) {
        const user = await supportUser(services, claims, services.clock.now());
        if (!user) {
          throw new AppError("ERR_NOT_SIGNED_IN");
        }
        return user;
      }
      await requireCompanyAccess(services, claims);
      return sessionUser(services, claims);
    },
    { transaction: "none" },
  );
}

function cookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[sessionRules.refreshCookie];
}

/** From the bearer token, or from the refresh cookie where there is no token. */
async function claimsOf(services: Services, request: FastifyRequest): Promise<AccessClaims | undefined> {
  const token = bearerOf(request);
  const byToken = token === undefined ? undefined : await services.tokens.verify(token);
  return byToken ?? claimsOfCookie(services, cookieOf(request));
}

/** Behaviour 1: an expired token is 403, so that the client refreshes; no credentials at all are 401. */
async function liveClaimsOf(services: Services, request: FastifyRequest): Promise<AccessClaims> {
  const token = bearerOf(request);
  if (token === undefined) {
    const claims = await claimsOfCookie(services, cookieOf(request));
    if (!claims) {
      throw new AppError("ERR_NOT_SIGNED_IN");
    }
    return claims;
  }

  const claims = await services.tokens.verify(token);
  if (!claims) {
    throw new AppError("ERR_SESSION_EXPIRED");
  }
  if (!(await services.sessions.load(claims))) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return claims;
}
