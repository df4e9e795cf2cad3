import { hashSecret } from "#server/platform/auth/index.ts";
import type { Signer } from "#server/platform/auth/index.ts";

/**
 * The refresh cookie: session and time of its making, signed. It can be made again from the session's row, so that a
 * repeated refresh gives the same cookie as the one before (docs/decisions/0040), and an old one is known to be ours.
 */
export function refreshCookieOf(
  signer: Signer,
  session: { readonly id: string; readonly rotated_at: Date; readonly expires_at: Date },
): string {
  return signer.sign(purpose, `${session.id} ${session.rotated_at.getTime()}`, session.expires_at);
}

/** The session that a cookie names, when the cookie is ours, and the hash by which the session knows it. */
export function readRefreshCookie(signer: Signer, cookie: string): { sessionId: string; hash: string } | undefined {
  const verdict = signer.verify(purpose, cookie);
  const [sessionId] = verdict.state === "valid" ? verdict.payload.split(" ") : [];
  return sessionId === undefined ? undefined : { sessionId, hash: hashSecret(cookie) };
}

const purpose = "refresh cookie";
