import { createHash, hkdfSync } from "node:crypto";

/** A key of 32 bytes for one purpose, made from a secret by HKDF-SHA256: no two purposes share a key. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "prosa", purpose, 32));
}

/** Names a secret without giving it away: 4 bytes, written in front of what it encrypted. */
export function keyIdOf(secret: string): Buffer {
  return createHash("sha256").update(deriveKey(secret, "key id")).digest().subarray(0, 4);
}
