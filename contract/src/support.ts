import { z } from "zod";
import { signedIn } from "./auth.ts";
import { done, id, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import type { Method } from "./endpoint.ts";

/** Hours for which an admin may let the support in: 1 h, 4 h, a day, a week. */
export const supportHours = [1, 4, 24, 168] as const;

/** What the support may look at, by the first part of the path: whatever is not named here is closed, so a new noun is, too. */
const readable: ReadonlySet<string> = new Set([
  ...["tickets", "ticket", "ticket-notes", "ticket-products", "messages", "contacts", "tags", "products"],
  ...["contact-lists", "contact-list-items", "campaigns", "campaign-settings", "schedules", "quick-messages", "files"],
  ...["whatsapp", "sending-rules", "queue", "queue-options", "prompt", "queueIntegration", "users", "companies"],
  ...["settings", "dashboard", "announcements", "helps", "first-steps", "invoices", "privacy", "audit", "support"],
]);

/** Whole lists of people to take away, and what belongs to the payer alone. */
const neverRead: ReadonlySet<string> = new Set([
  ...["/audit/export", "/contacts/export", "/contacts/:id/exports", "/campaigns/:id/export"],
  ...["/contact-lists/:id/import/refused", "/companies/:id/account", "/queueIntegration/:id/calls"],
]);

/** What the support may set up. Nothing here reaches a customer, a person's account, money or a secret, or deletes anything. */
const writable: ReadonlySet<string> = new Set([
  ...["PUT /settings/:key", "PUT /companies/:id/schedules", "PUT /companies/:id/locale"],
  ...["POST /queue", "PUT /queue/:id", "POST /queue-options", "PUT /queue-options/:id"],
  ...["POST /queue-options/:id/media-upload", "POST /bot/preview"],
  ...["POST /tags", "PUT /tags/:id", "POST /products", "PUT /products/:id"],
  ...["POST /files", "PUT /files/:id", "POST /files/uploadList/:id"],
  ...["POST /whatsapp", "PUT /whatsapp/:id", "POST /whatsappsession/:id", "PUT /whatsappsession/:id"],
  ...["POST /whatsappsession/:id/number", "PUT /sending-rules", "POST /campaign-settings"],
  ...["POST /audit/verify", "POST /support/leave"],
]);

/** May a support session make this call, as far as an admin of the company may (decision 0225)? */
export function supportMay({ method, path }: { readonly method: Method; readonly path: string }): boolean {
  if (path === "/auth/store-key") {
    return true;
  }
  return method === "GET"
    ? readable.has(path.split("/")[1] ?? "") && !neverRead.has(path)
    : writable.has(`${method} ${path}`);
}

const grant = z.object({
  id: z.number().int(),
  /** The admin who consented. */
  by: z.string(),
  grantedAt: instant,
  until: instant,
});

const request = z.object({ id: z.number().int(), by: z.string(), reason: z.string(), at: instant });

export const supportState = z.object({
  /** Null: nobody may enter. */
  grant: grant.nullable(),
  /** The operator asks to be let in; only admins see it. */
  request: request.nullable(),
  /** Who of the operator's people is in the company now. */
  present: z.array(z.object({ name: z.string(), since: instant })),
});
export type SupportState = z.output<typeof supportState>;

/** What the operator sees of a company: whether they may enter, or have asked to. */
export const companySupport = z.object({ state: z.enum(["none", "asked", "allowed"]), until: instant.nullable() });
export type CompanySupport = z.output<typeof companySupport>;

const hours = z.union(supportHours.map((value) => z.literal(value)));
const forAdmins = { access: { who: "admin", whenOverdue: true } } as const;
const forOperators = { access: { who: "super", whenOverdue: true } } as const;

export const support = {
  state: endpoint({
    method: "GET",
    path: "/support",
    summary: "Whether the support may enter the company, asks to, or is there",
    access: { who: "session", whenOverdue: true },
    response: supportState,
  }),
  allow: endpoint({
    method: "POST",
    path: "/support/grants",
    summary:
      "Let the support enter the company for some hours from now; accepts an open request and replaces a consent",
    ...forAdmins,
    body: z.object({ hours }),
    response: supportState,
  }),
  end: endpoint({
    method: "DELETE",
    path: "/support/grants/:id",
    summary: "Take a consent back, which ends the support's sessions at once, or decline a request",
    ...forAdmins,
    params: z.object({ id }),
    response: supportState,
  }),
  ask: endpoint({
    method: "POST",
    path: "/support/requests",
    summary: "Ask the admins of a company to let the support in",
    ...forOperators,
    body: z.object({ companyId: id, reason: z.string().trim().max(200).default("") }),
    response: companySupport,
  }),
  enter: endpoint({
    method: "POST",
    path: "/support/enter",
    summary: "Enter a company as support while its consent lasts; who has no second factor gives their password",
    ...forOperators,
    body: z.object({ companyId: id, password: z.string().max(200).default("") }),
    response: signedIn,
  }),
  leave: endpoint({
    method: "POST",
    path: "/support/leave",
    summary: "Leave the company that one entered as support; the session of one's own goes on",
    access: { who: "session", whenOverdue: true },
    response: done,
  }),
} as const;
