/** Expiry of access tokens, and when to renew or reload. Signatures are checked by the server. */
import { sessionRules } from "@prosa/contract/auth";

export interface TokenClaims {
  /** Milliseconds since 1970, by the server's clock. */
  readonly expiresAt: number;
  readonly sessionId: string | undefined;
}

/** Undefined for anything that is not a JWT with an expiry. */
export function readToken(token: string): TokenClaims | undefined {
  try {
    const claims: unknown = JSON.parse(decodeBase64Url(token.split(".")[1] ?? ""));
    if (!isRecord(claims) || typeof claims.exp !== "number") {
      return undefined;
    }
    return {
      expiresAt: claims.exp * 1000,
      sessionId: typeof claims.sessionId === "string" ? claims.sessionId : undefined,
    };
  } catch {
    return undefined;
  }
}

/** How long before expiry to renew: timers of a hidden tab run up to a minute late, and a reload costs the user more. */
export const RENEW_BEFORE_MS = Math.max(90_000, sessionRules.reconnectBeforeExpiryMs);

export type TokenAction = { readonly now: "reload" | "renew" } | { readonly inMs: number };

/** Specification 1, Session: about to expire means renew and reconnect, expired means reload. */
export function tokenActionFor(expiresAt: number, now: number): TokenAction {
  if (now >= expiresAt) {
    return { now: "reload" };
  }
  const left = expiresAt - now - RENEW_BEFORE_MS;
  return left <= 0 ? { now: "renew" } : { inMs: left };
}

function decodeBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
