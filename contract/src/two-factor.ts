import { z } from "zod";
import { signedIn } from "./auth.ts";
import { done, idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Recovery codes of a person; each works once. */
export const recoveryCodeCount = 10;
/** For how long the second step of a sign-in may take. */
export const secondStepMinutes = 10;

/** Six digits of the app or a recovery code, as typed. */
const code = z.string().trim().min(1, "Required").max(40);
/** What ERR_SECOND_FACTOR and ERR_SECOND_FACTOR_SETUP carry: the password was right. */
const ticket = z.string().min(1).max(500);
/** The current password: an unattended browser must not be enough. */
const password = z.string().min(1, "Required").max(200);

/** What an authenticator app is given: as text, and as the address of its QR code. */
export const twoFactorSecret = z.object({ secret: z.string(), uri: z.string() });
export type TwoFactorSecret = z.output<typeof twoFactorSecret>;

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const twoFactorState = z.object({
  isOn: z.boolean(),
  /** By the company's setting. */
  isRequired: z.boolean(),
  recoveryCodesLeft: z.number().int(),
});
export type TwoFactorState = z.output<typeof twoFactorState>;

export const ownSession = z.object({
  id: z.string(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: instant,
  lastSeenAt: instant,
  endedAt: instant.nullable(),
  isCurrent: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

const session = { access: { who: "session" } } as const;
const guest = { access: { who: "public" } } as const;

/** Two-factor sign-in and the list of one's sessions (V-03). */
export const twoFactor = {
  signIn: endpoint({
    method: "POST",
    path: "/auth/second-factor",
    summary: "Second step of a sign-in: a code of the app or a recovery code; sets the refresh cookie (V-03)",
    ...guest,
    body: z.object({ ticket, code }),
    response: signedIn,
  }),
  beginRequired: endpoint({
    method: "POST",
    path: "/auth/second-factor/setup",
    summary: "A new secret for who has to set up a second factor before the sign-in is complete (V-03)",
    ...guest,
    body: z.object({ ticket }),
    response: twoFactorSecret,
  }),
  confirmRequired: endpoint({
    method: "POST",
    path: "/auth/second-factor/setup/confirm",
    summary: "Complete that set-up by a code, and the sign-in with it (V-03)",
    ...guest,
    body: z.object({ ticket, code }),
    response: signedIn.extend(recoveryCodes.shape),
  }),
  state: endpoint({
    method: "GET",
    path: "/auth/two-factor",
    summary: "One's own second factor (V-03)",
    ...session,
    response: twoFactorState,
  }),
  begin: endpoint({
    method: "POST",
    path: "/auth/two-factor/setup",
    summary: "A new secret for one's authenticator app; off until it is confirmed (V-03)",
    ...session,
    body: z.object({ password }),
    response: twoFactorSecret,
  }),
  confirm: endpoint({
    method: "POST",
    path: "/auth/two-factor/confirm",
    summary: "Turn the second factor on by a code; answers the recovery codes, this once (V-03)",
    ...session,
    body: z.object({ code }),
    response: recoveryCodes,
  }),
  renewCodes: endpoint({
    method: "POST",
    path: "/auth/two-factor/recovery-codes",
    summary: "New recovery codes; the former ones no longer work (V-03)",
    ...session,
    body: z.object({ password }),
    response: recoveryCodes,
  }),
  disable: endpoint({
    method: "POST",
    path: "/auth/two-factor/disable",
    summary: "Turn one's own second factor off, where the company does not require it (V-03)",
    ...session,
    body: z.object({ password }),
    response: done,
  }),
  /** Served by users, whose ranks decide (V-04). */
  reset: endpoint({
    method: "DELETE",
    path: "/users/:id/two-factor",
    summary:
      "Remove the second factor of a user who lost it: admins in their company, the operator anywhere (V-03, V-04)",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
  sessions: endpoint({
    method: "GET",
    path: "/auth/sessions",
    summary: "One's own sessions: the live one and the last that ended (V-03)",
    ...session,
    response: z.array(ownSession),
  }),
  endSession: endpoint({
    method: "DELETE",
    path: "/auth/sessions/:id",
    summary: "End one of one's own sessions at once (V-03)",
    ...session,
    params: z.object({ id: z.uuid() }),
    response: done,
  }),
} as const;
