import { z } from "zod";
import { day, done, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { permissionRules, profiles } from "./permissions.ts";
import { plan } from "./plans.ts";

/** Specification 1 section 9 and behaviour 1. Milliseconds unless named otherwise. */
export const sessionRules = {
  accessTokenSeconds: 15 * 60,
  refreshTokenDays: 7,
  refreshCookie: "jrt",
  /** Answers about the session carry the position in the event stream: a socket that starts from it misses nothing. */
  eventCursorHeader: "x-event-cursor",
  /** The client reconnects its socket when the token expires within this time. */
  reconnectBeforeExpiryMs: 180,
  reloadAfterExpiryMs: 1000,
  reloadAfterElsewhereMs: 1000,
  userStatusEveryMs: 300_000,
  /** Delay until a user is offline after their last socket closed (behaviour 2). */
  offlineAfterMs: 60_000,
  warnDueWithinDays: 5,
} as const;

export const setting = z.object({ key: z.string(), value: z.string() });

export const sessionQueue = z.object({
  id: z.number().int(),
  name: z.string(),
  color: z.string(),
  UserQueue: z.object({ userId: z.number().int(), queueId: z.number().int() }),
});

export const sessionUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  profile: z.enum(profiles),
  super: z.boolean(),
  /** Spelling of the specification. */
  allTicket: z.enum(["enabled", "desabled"]),
  whatsappId: z.number().int().nullable(),
  companyId: z.number().int(),
  company: z.object({
    id: z.number().int(),
    name: z.string(),
    email: z.string().nullable(),
    dueDate: day.nullable(),
    /** Overdue, days of grace and all: nothing is answered but what pays. */
    isClosed: z.boolean().optional(),
    trialExpiration: instant.nullable(),
    timeZone: z.string(),
    settings: z.array(setting),
    plan: plan.nullable(),
  }),
  queues: z.array(sessionQueue),
  /** An operator who is in this company as support, and until when its consent lasts. */
  support: z.object({ until: instant }).optional(),
  /** Simulated lines may be made: not in production. */
  hasSimulator: z.boolean().optional(),
  permissions: z.array(z.enum(permissionRules)),
});
export type SessionUser = z.output<typeof sessionUser>;

export const signedIn = z.object({ token: z.string(), user: sessionUser });

export const loginBody = z.object({
  email: z.string().trim().toLowerCase().min(1, "Required").max(200),
  password: z.string().min(1, "Required").max(200),
});

export const auth = {
  login: endpoint({
    method: "POST",
    path: "/auth/login",
    summary: "Sign in; sets the refresh cookie",
    access: { who: "public" },
    body: loginBody,
    response: signedIn,
  }),
  refresh: endpoint({
    method: "POST",
    path: "/auth/refresh_token",
    summary: "Rotate the refresh cookie and get a new access token",
    access: { who: "public" },
    response: signedIn,
  }),
  logout: endpoint({
    method: "DELETE",
    path: "/auth/logout",
    summary: "End the session",
    access: { who: "public" },
    response: done,
  }),
  storeKey: endpoint({
    method: "GET",
    path: "/auth/store-key",
    summary: "The key by which this session's browser encrypts what it keeps; another session has another",
    access: { who: "session" },
    response: z.object({ key: z.string() }),
  }),
  me: endpoint({
    method: "GET",
    path: "/auth/me",
    summary: "The signed-in user, from the bearer token or the cookie",
    access: { who: "public" },
    response: sessionUser,
  }),
} as const;
