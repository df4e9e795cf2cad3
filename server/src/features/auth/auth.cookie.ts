import { hashSecret } from "#server/platform/auth/index.ts";
import type { Signer } from "#server/platform/auth/index.ts";

/**
 * The refresh cookie: session id and time of issue, signed. It can be computed again from the session's row, so that a
 * repeated refresh returns the same cookie (docs/decisions/0040), and an old cookie is known to be authentic.
 */
export function refreshCookieOf(
  signer: Signer,
  session: { readonly id: string; readonly rotated_at: Date; readonly expires_at: Date },
): string {
  return signer.sign(purpose, `${session.id} ${session.rotated_at.getTime()}`, session.expires_at);
}

/** The session id of an authentic cookie, and the hash that the session's row has of it; undefined for a forged cookie. */
export function readRefreshCookie(signer: Signer, cookie: string): { sessionId: string; hash: string } | undefined {
  const verdict = signer.verify(purpose, cookie);
  const [sessionId] = verdict.state === "valid" ? verdict.payload.split(" ") : [];
  return sessionId === undefined ? undefined : { sessionId, hash: hashSecret(cookie) };
}

const purpose = "refresh cookie";
