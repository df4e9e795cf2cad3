import { hasPermission, isAdmin } from "@prosa/contract";
import type { Access } from "@prosa/contract";
import type { FastifyRequest } from "fastify";
import { companyClosedError } from "../auth/index.ts";
import type { AccessTokens, LiveSession, LiveToken, LoadToken, Sessions } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import { AppError } from "../ctx.ts";
import type { Actor } from "../ctx.ts";
import { noteCompanyLocale } from "./requests/index.ts";

export interface AuthDeps {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly loadToken: LoadToken | undefined;
  readonly clock: Clock;
}

/** Authenticates and authorizes a request by the `access` of its endpoint. Returns the actor, or undefined on public endpoints; throws an AppError. */
export async function authorizeRequest(
  request: FastifyRequest,
  access: Access,
  deps: AuthDeps,
): Promise<Actor | undefined> {
  if (access.who === "public") {
    return undefined;
  }
  const authenticated =
    access.who === "token" ? await requireToken(request, deps) : await requireSession(request, deps);
  const { actor, locale } = authenticated;
  noteCompanyLocale(request, locale);

  if (actor.kind === "user") {
    allowRole(actor, access);
  }
  allowCompany(authenticated, access, deps.clock);
  allowPlan(authenticated, access);
  return actor;
}

/**
 * The session of the bearer token. 401 only when nobody is signed in; an invalid or expired access token is 403
 * ERR_SESSION_EXPIRED, so that the client refreshes it and repeats the call (behaviour 1).
 */
export async function requireSession(request: FastifyRequest, { tokens, sessions }: AuthDeps): Promise<LiveSession> {
  const token = bearerOf(request);
  if (token === undefined) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  const claims = await tokens.verify(token);
  if (!claims) {
    throw new AppError("ERR_SESSION_EXPIRED");
  }
  const session = await sessions.load(claims);
  if (!session) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return session;
}

export function bearerOf(request: FastifyRequest): string | undefined {
  const [scheme, token] = request.headers.authorization?.split(" ") ?? [];
  return scheme?.toLowerCase() === "bearer" && token ? token : undefined;
}

async function requireToken(request: FastifyRequest, { loadToken }: AuthDeps): Promise<LiveToken> {
  const token = bearerOf(request);
  const live = token === undefined ? undefined : await loadToken?.(token);
  if (!live) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return live;
}

function allowRole(actor: LiveSession["actor"], { who, rule }: Access): void {
  const isInRole = who === "session" || actor.isSuper || (who === "admin" && isAdmin(actor));
  if (!isInRole || (rule !== undefined && !hasPermission(actor, rule))) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** Refuses a closed company, except admins on endpoints with `whenOverdue`, so that they can pay. */
function allowCompany(entry: LiveSession | LiveToken, { whenOverdue }: Access, clock: Clock): void {
  const { actor } = entry;
  const closed = companyClosedError(entry, clock.now());
  const mayPay = whenOverdue && actor.kind === "user" && isAdmin(actor);
  if (closed && !(closed.code === "ERR_SUBSCRIPTION_EXPIRED" && mayPay)) {
    throw closed;
  }
}

function allowPlan(authenticated: LiveSession | LiveToken, access: Access): void {
  if (access.plan !== undefined && !authenticated.plan[access.plan]) {
    throw new AppError("ERR_PLAN_WITHOUT_FEATURE", { feature: access.plan });
  }
}
