import { createHash } from "node:crypto";

/** Tells whether a key is the same without telling the key. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(`prosa backup\0${key}`).digest("hex").slice(0, 16);
}
