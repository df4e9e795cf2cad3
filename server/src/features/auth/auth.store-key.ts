import { createHash } from "node:crypto";
import type { Signer } from "#server/platform/auth/index.ts";

/**
 * The key of what a browser keeps on its disk, 32 bytes in base64url: derived from the session, so that the disk alone opens
 * nothing, and the next session opens nothing of this one. Nothing is stored here.
 */
export function storeKeyOf(signer: Signer, sessionId: string): string {
  // The signature is the secret part, and the same each time: its expiry is a constant.
  return createHash("sha256")
    .update(signer.sign("browser store", sessionId, new Date(0)))
    .digest("base64url");
}
