import { z } from "zod";
import { instant, name2to50, paged, pageNumber } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import type { Method } from "./endpoint.ts";
import { profiles } from "./permissions.ts";

/**
 * What a key may be allowed, by noun: the first parts of the paths that it covers. Paths that stand nowhere here (sessions,
 * keys, push devices, the operator's) are reached by nobody's key.
 */
const pathsOf = {
  tickets: ["tickets", "ticket", "ticket-tags", "ticket-notes", "ticket-products", "agent-assist"],
  messages: ["messages"],
  contacts: ["contacts"],
  "contact-lists": ["contact-lists", "contact-list-items"],
  campaigns: ["campaigns", "campaign-settings"],
  schedules: ["schedules"],
  connections: ["whatsapp", "whatsappsession", "sending-rules"],
  queues: ["queue", "queue-options", "bot"],
  users: ["users"],
  tags: ["tags"],
  products: ["products"],
  files: ["files"],
  "quick-messages": ["quick-messages"],
  chats: ["chats"],
  prompts: ["prompt", "knowledge"],
  integrations: ["queueIntegration"],
  webhooks: ["webhooks"],
  dashboard: ["dashboard"],
  announcements: ["announcements"],
  company: ["companies", "settings"],
} as const;

export type ApiNoun = keyof typeof pathsOf;
export const apiNouns = Object.keys(pathsOf) as readonly ApiNoun[];
export type ApiScope = `${ApiNoun}:${"read" | "write"}`;
export const apiScopes = apiNouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const) as readonly ApiScope[];

const nounOfPath: ReadonlyMap<string, ApiNoun> = new Map(
  Object.entries(pathsOf).flatMap(([noun, paths]) => paths.map((path) => [path, noun as ApiNoun] as const)),
);

/**
 * What would outlive the key or give it more than its scopes: accounts and their second factors, endpoints that are told everything,
 * and services that are told what customers say, and a key.
 */
const neverByKey: ReadonlySet<string> = new Set([
  ...["POST /users", "PUT /users/:id", "DELETE /users/:id/two-factor"],
  ...["POST /users/invitations", "POST /users/:id/invitation"],
  ...["POST /webhooks", "PUT /webhooks/:id", "POST /webhooks/:id/secret"],
  ...["POST /queueIntegration", "PUT /queueIntegration/:id", "POST /queueIntegration/:id/secret"],
  ...["POST /prompt", "PUT /prompt/:id"],
]);

/** The scope that a call needs: to read for GET, else to write, which includes reading. Undefined: no key may make it. */
export function scopeOf({ method, path }: { readonly method: Method; readonly path: string }): ApiScope | undefined {
  if (neverByKey.has(`${method} ${path}`)) {
    return undefined;
  }
  const noun = nounOfPath.get(path.split("/")[1] ?? "");
  return noun && `${noun}:${method === "GET" ? "read" : "write"}`;
}

/** Do these scopes cover the one that a call needs? */
export function hasScope(scopes: readonly string[], needed: ApiScope): boolean {
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/u, ":write"));
}

export const apiKeyRules = {
  /** Every key begins with it. */
  prefix: "prosa_",
  /** Letters of a key that are kept to recognize it by. */
  shownLetters: 12,
  requestsPerMinute: 600,
  /** Keys of a company that are neither revoked nor expired. */
  max: 100,
} as const;

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Its beginning, to recognize it by. */
  beginning: z.string(),
  profile: z.enum(profiles),
  scopes: z.array(z.string()),
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  revokedAt: instant.nullable(),
  createdAt: instant,
  /** Who made it, and in whose name it acts. */
  user: z.object({ id: z.number().int(), name: z.string() }),
});
export type ApiKey = z.output<typeof apiKey>;

export const apiKeyBody = z.object({
  name: name2to50,
  /** Never more than its maker is, then and later. */
  profile: z.enum(profiles).default("user"),
  scopes: z
    .array(z.enum(apiScopes as [ApiScope, ...ApiScope[]]))
    .min(1, "Required")
    .max(100),
  expiresAt: instant.nullable().default(null),
});
export type ApiKeyBody = z.output<typeof apiKeyBody>;

const forAdmins = { access: { who: "admin", plan: "useExternalApi" } } as const;

export const apiKeys = {
  list: endpoint({
    method: "GET",
    path: "/api-keys",
    summary: "The company's API keys, the newest first, a page at a time",
    ...forAdmins,
    query: z.object({ pageNumber }),
    response: paged("apiKeys", apiKey),
  }),
  create: endpoint({
    method: "POST",
    path: "/api-keys",
    summary: "Make an API key; only this answer shows it",
    ...forAdmins,
    body: apiKeyBody,
    response: apiKey.extend({ key: z.string() }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api-keys/:id",
    summary: "Revoke an API key at once",
    ...forAdmins,
    params: z.object({ id: z.uuid() }),
    response: apiKey,
  }),
} as const;
