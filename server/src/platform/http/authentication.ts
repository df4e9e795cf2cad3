import { apiKeyRules, hasPermission, hasScope, isAdmin, scopeOf, supportMay } from "@prosa/contract";
import type { Access, AnyEndpoint, ApiScope } from "@prosa/contract";
import type { FastifyRequest } from "fastify";
import { companyClosedError } from "../auth/index.ts";
import type { AccessTokens, LiveApiKey, LiveSession, LiveToken, Sessions } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import { AppError } from "../ctx.ts";
import type { FindByToken, RateLimiter } from "./limits/index.ts";
import { callerAddress, noteCompanyLocale } from "./requests/index.ts";

export interface AuthDeps {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly loadToken: FindByToken<LiveToken> | undefined;
  readonly loadApiKey: FindByToken<LiveApiKey> | undefined;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
}

/** Who sends a request, and what is known of their company; undefined on public endpoints. Throws an AppError for nobody. */
export async function authenticateRequest(
  request: FastifyRequest,
  endpoint: Pick<AnyEndpoint, "access" | "method" | "path">,
  deps: AuthDeps,
): Promise<LiveSession | LiveToken | undefined> {
  if (endpoint.access.who === "public") {
    return undefined;
  }
  const authenticated = await authenticate(request, endpoint, deps);
  noteCompanyLocale(request, authenticated.locale);
  return authenticated;
}

/** Authorizes who was authenticated by the `access` of the endpoint; throws an AppError. */
export function authorize(
  authenticated: LiveSession | LiveToken,
  endpoint: Pick<AnyEndpoint, "access" | "method" | "path">,
  { clock }: Pick<AuthDeps, "clock">,
): void {
  const { access } = endpoint;
  const { actor } = authenticated;
  if (actor.kind === "user") {
    allowRole(actor, access);
    if (actor.support && !supportMay(endpoint)) {
      throw new AppError("ERR_SUPPORT_REFUSED");
    }
  }
  allowCompany(authenticated, access, clock);
  allowPlan(authenticated, access);
}

function authenticate(
  request: FastifyRequest,
  endpoint: Pick<AnyEndpoint, "access" | "method" | "path">,
  deps: AuthDeps,
): Promise<LiveSession | LiveToken> {
  if (endpoint.access.who === "token") {
    return requireToken(request, deps);
  }
  const key = apiKeyOf(request);
  return key === undefined
    ? requireSession(request, deps)
    : requireApiKey(request, key, endpoint.access.who === "super" ? undefined : scopeOf(endpoint), deps);
}

/** The API key that a request carries as its bearer token; undefined: none, or a token of another kind. */
function apiKeyOf(request: FastifyRequest): string | undefined {
  const token = bearerOf(request);
  return token?.startsWith(apiKeyRules.prefix) ? token : undefined;
}

const keyRate = { max: apiKeyRules.requestsPerMinute, perSeconds: 60 };

/**
 * A session, or an API key with this scope whose company is open. For what is no call of the contract. Throws ERR_NO_PERMISSION for a key
 * without the scope, and else as `authenticateRequest`.
 */
export async function requireReader(
  request: FastifyRequest,
  scope: ApiScope,
  deps: AuthDeps,
): Promise<LiveSession | LiveApiKey> {
  const key = apiKeyOf(request);
  if (key === undefined) {
    return requireSession(request, deps);
  }
  const live = await requireApiKey(request, key, scope, deps);
  allowCompany(live, {}, deps.clock);
  return live;
}

/**
 * The API key, as a session of its maker (V-06). The operator's calls, and those that no scope names, have no `scope`: no key reaches them.
 * Counted per process, like the addresses of other callers: the limit guards the server, the scopes guard the company.
 */
async function requireApiKey(
  request: FastifyRequest,
  key: string,
  scope: ApiScope | undefined,
  { loadApiKey, limiter }: AuthDeps,
): Promise<LiveApiKey> {
  const live = await loadApiKey?.(key, callerAddress(request));
  if (!live) {
    throw new AppError("ERR_NOT_SIGNED_IN", { token: "key" });
  }
  limiter.limit(`key:${live.actor.sessionId}`, keyRate);
  if (scope === undefined || !hasScope(live.scopes, scope)) {
    throw new AppError("ERR_NO_PERMISSION", scope && { scope });
  }
  return live;
}

/**
 * The session of the bearer token. 401 only when nobody is signed in; an invalid or expired access token is 403
 * ERR_SESSION_EXPIRED, so that the client refreshes it and repeats the call (behaviour 1).
 */
async function requireSession(request: FastifyRequest, { tokens, sessions }: AuthDeps): Promise<LiveSession> {
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
  const live = token === undefined ? undefined : await loadToken?.(token, callerAddress(request));
  if (!live) {
    throw new AppError("ERR_NOT_SIGNED_IN", { token: token === undefined ? "missing" : "unknown" });
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
function allowCompany(
  entry: LiveSession | LiveToken,
  { whenOverdue }: Pick<Access, "whenOverdue">,
  clock: Clock,
): void {
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
