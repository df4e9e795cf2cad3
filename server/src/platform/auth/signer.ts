import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { deriveKey } from "./keys.ts";

/** Result of a verification. An expired text is authentic: the caller may require other credentials. */
export type Verification =
  { readonly state: "valid" | "expired"; readonly payload: string } | { readonly state: "forged" };

/** Signs texts that clients return: media URLs, links in mails. Readable, but tamper-proof. */
export interface Signer {
  /** A text signed for one `purpose` is invalid for another. */
  sign(purpose: string, payload: string, expiresAt: Date): string;
  /** The text as each secret signs it, the current one first: to look up what was kept under a former one. */
  signAll(purpose: string, payload: string, expiresAt: Date): readonly string[];
  verify(purpose: string, token: string): Verification;
}

/** HMAC-SHA256 over purpose, expiry and payload; URL-safe. After a rotation older secrets still verify. */
export function createSigner(secrets: readonly string[], clock: Clock): Signer {
  const keys = secrets.map((secret) => deriveKey(secret, "signed texts"));
  const [current] = keys;
  if (!current) {
    throw new Error("There is no secret to sign with");
  }

  return {
    sign: (purpose, payload, expiresAt) => signedBy(current, purpose, payload, expiresAt),
    signAll: (purpose, payload, expiresAt) => keys.map((key) => signedBy(key, purpose, payload, expiresAt)),
    verify(purpose, token) {
      const [payload = "", expiry = "", mac = "", ...rest] = token.split(".");
      // Compared as text, because several base64 texts decode to the same bytes.
      const isOurs = keys.some((key) => isEqual(mac, macOf(key, purpose, `${payload}.${expiry}`)));
      if (!isOurs || rest.length > 0) {
        return { state: "forged" };
      }
      const isExpired = Number.parseInt(expiry, 36) * 1000 <= clock.now().getTime();
      return { state: isExpired ? "expired" : "valid", payload: Buffer.from(payload, "base64url").toString("utf8") };
    },
  };
}

function signedBy(key: Uint8Array, purpose: string, payload: string, expiresAt: Date): string {
  const text = `${Buffer.from(payload).toString("base64url")}.${Math.floor(expiresAt.getTime() / 1000).toString(36)}`;
  return `${text}.${macOf(key, purpose, text)}`;
}

function macOf(key: Uint8Array, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\0${text}`).digest().subarray(0, 18).toString("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
