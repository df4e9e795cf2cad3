import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { sessionRules } from "@prosa/contract";
import { SignJWT, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock/index.ts";
import { deriveKey } from "./keys.ts";

/** Claims of an access token: who signed in. Rights are read at each call. */
export interface AccessClaims {
  readonly userId: number;
  readonly companyId: number;
  readonly sessionId: string;
}

export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>;
  /** Undefined for an invalid or expired token. */
  verify(token: string): Promise<AccessClaims | undefined>;
  /** Expiry in ms since 1970; undefined as for `verify`. */
  expiryOf(token: string): Promise<number | undefined>;
}

interface Verified {
  readonly claims: AccessClaims;
  readonly expiresAt: number;
}

const algorithm = "HS256";

/** JWTs of 15 minutes, signed with a key derived from the secret; after a rotation older secrets still verify. */
export function createAccessTokens(secrets: readonly string[], clock: Clock): AccessTokens {
  const keys = secrets.map((secret) => deriveKey(secret, "access tokens"));
  const [current] = keys;
  if (!current) {
    throw new Error("There is no secret to sign with");
  }
  // Verifying a signature costs about as much as the rest of a small request, so each token is verified once per process.
  const verified = new LRUCache<string, Verified>({ max: 20_000 });

  async function read(token: string): Promise<Verified | undefined> {
    const now = clock.now();
    const found = verified.get(token) ?? (await verifyWithAny(token, keys, now));
    if (!found || found.expiresAt <= now.getTime()) {
      return undefined;
    }
    verified.set(token, found);
    return found;
  }

  return {
    issue({ userId, companyId, sessionId }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ userId, companyId, sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + sessionRules.accessTokenSeconds)
        .sign(current);
    },
    verify: async (token) => (await read(token))?.claims,
    expiryOf: async (token) => (await read(token))?.expiresAt,
  };
}

async function verifyWithAny(token: string, keys: readonly Uint8Array[], now: Date): Promise<Verified | undefined> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [algorithm], currentDate: now });
      const { userId, companyId, sessionId, exp } = payload;
      return typeof userId === "number" &&
        typeof companyId === "number" &&
        typeof sessionId === "string" &&
        exp !== undefined
        ? { claims: { userId, companyId, sessionId }, expiresAt: exp * 1000 }
        : undefined;
    } catch {
      // try the next key
    }
  }
  return undefined;
}

/** A secret for a cookie or a link: 32 random bytes as text. Store only its hash. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 is enough for 32 random bytes; passwords need argon2 (passwords.ts). */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}
