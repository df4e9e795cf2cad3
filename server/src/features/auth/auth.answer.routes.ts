import { sessionRules } from "@prosa/contract";
import type { SessionUser } from "@prosa/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerAddress } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { sessionUser } from "./auth.service.ts";
import type { Caller, OpenedSession } from "./auth.sign-in.ts";
import { findSupportClaims, supportUser } from "./support-sessions/index.ts";

/** Answers with a session that was opened, and sets its cookie. */
export async function answerSession(
  services: Services,
  session: OpenedSession,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ token: string; user: SessionUser }> {
  const { user, claims } = await whereTheyAre(services, session);
  const token = await services.tokens.issue(claims);
  reply.setCookie(sessionRules.refreshCookie, session.cookie, {
    ...cookieOptions(services, request),
    expires: session.expiresAt,
  });
  return { token, user };
}

/** An operator who is in another company as support goes on there. */
async function whereTheyAre(services: Services, session: OpenedSession) {
  const { db, clock } = services;
  const user = session.user ?? (await sessionUser(services, session));
  const now = clock.now();
  const claims = user.super ? await findSupportClaims(db, session.sessionId, now) : undefined;
  const there = claims && (await supportUser(services, claims, now));
  return there ? { user: there, claims } : { user, claims: session };
}

/** SameSite=Lax: another site cannot make a browser refresh or sign out with it. */
export function cookieOptions({ publicUrl }: Services, request: FastifyRequest) {
  const isSecure = request.protocol === "https" || publicUrl().startsWith("https:");
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure } as const;
}

/** Where a sign-in comes from. */
export function callerOf(request: FastifyRequest): Caller {
  return { address: callerAddress(request), userAgent: request.headers["user-agent"] ?? "" };
}
