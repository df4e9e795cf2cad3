import { z } from "zod";
import { signedIn } from "./auth.ts";
import { done, idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Passkeys of a person. */
export const maxPasskeys = 20;
/** For how long the browser may ask its person, in minutes. */
export const passkeyMinutes = 5;

/** JSON of the Web Authentication standard, as the browser's API gives and takes it. */
const webAuthn = z.record(z.string(), z.unknown());

const password = z.string().min(1, "Required").max(200);

export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

const session = { access: { who: "session" } } as const;
const guest = { access: { who: "public" } } as const;

/** Passkeys, as the second factor or alone: the device has verified its person (V-03). */
export const passkeys = {
  list: endpoint({
    method: "GET",
    path: "/auth/passkeys",
    summary: "One's own passkeys (V-03)",
    ...session,
    response: z.array(passkey),
  }),
  begin: endpoint({
    method: "POST",
    path: "/auth/passkeys/options",
    summary: "What the browser needs to make a passkey (V-03)",
    ...session,
    body: z.object({ password }),
    response: z.object({ options: webAuthn }),
  }),
  add: endpoint({
    method: "POST",
    path: "/auth/passkeys",
    summary: "Save a passkey that the browser made; with the first second factor come recovery codes (V-03)",
    ...session,
    body: z.object({ name: z.string().trim().min(1, "Required").max(50, "Too Long!"), response: webAuthn }),
    response: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/auth/passkeys/:id",
    summary: "Remove one of one's own passkeys, by the current password (V-03)",
    ...session,
    params: idParams,
    body: z.object({ password }),
    response: done,
  }),
  signInOptions: endpoint({
    method: "POST",
    path: "/auth/passkeys/sign-in/options",
    summary: "What the browser needs to sign in with a passkey (V-03)",
    ...guest,
    response: z.object({ options: webAuthn }),
  }),
  signIn: endpoint({
    method: "POST",
    path: "/auth/passkeys/sign-in",
    summary: "Sign in with a passkey; sets the refresh cookie (V-03)",
    ...guest,
    body: z.object({ response: webAuthn }),
    response: signedIn,
  }),
} as const;
