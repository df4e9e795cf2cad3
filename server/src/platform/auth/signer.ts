import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { deriveKey } from "./keys.ts";

/** What a signed text turned out to be. An expired one was still made by us: the caller may ask for another proof. */
export type Verdict = { readonly state: "valid" | "expired"; readonly payload: string } | { readonly state: "forged" };

/** Texts that travel through strangers and come back: addresses of media, links in mails. Readable, not changeable. */
export interface Signer {
  /** `purpose` separates kinds: what was signed for one is forged for another. */
  sign(purpose: string, payload: string, expiresAt: Date): string;
  verify(purpose: string, token: string): Verdict;
}

/** HMAC-SHA256 over purpose, time and payload; safe in an address. After a rotation older secrets still verify. */
export function createSigner(secrets: readonly string[], clock: Clock): Signer {
  const keys = secrets.map((secret) => deriveKey(secret, "signed texts"));
  const [current] = keys;
  if (!current) {
    throw new Error("There is no secret to sign with");
  }

  return {
    sign(purpose, payload, expiresAt) {
      const text = `${Buffer.from(payload).toString("base64url")}.${Math.floor(expiresAt.getTime() / 1000).toString(36)}`;
      return `${text}.${macOf(current, purpose, text)}`;
    },
    verify(purpose, token) {
      const [payload = "", expiry = "", mac = "", ...rest] = token.split(".");
      // Compared as text: base64 decodes several texts to the same bytes, and only one of them is what we signed.
      const isOurs = keys.some((key) => isEqual(mac, macOf(key, purpose, `${payload}.${expiry}`)));
      if (!isOurs || rest.length > 0) {
        return { state: "forged" };
      }
      const isExpired = Number.parseInt(expiry, 36) * 1000 <= clock.now().getTime();
      return { state: isExpired ? "expired" : "valid", payload: Buffer.from(payload, "base64url").toString("utf8") };
    },
  };
}

function macOf(key: Uint8Array, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\0${text}`).digest().subarray(0, 18).toString("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
