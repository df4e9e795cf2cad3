import { createHash, hkdfSync } from "node:crypto";

/** Derives a 32-byte key for one purpose from a secret (HKDF-SHA256). */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "prosa", purpose, 32));
}

/** Key id of a secret: 4 bytes of a hash, stored in each ciphertext. */
export function keyIdOf(secret: string): Buffer {
  return createHash("sha256").update(deriveKey(secret, "key id")).digest().subarray(0, 4);
}
