import { createSecureContext, getCACertificates } from "node:tls";
import type { SecureContext } from "node:tls";

const contexts = new Map<string, SecureContext>();

/** A TLS context that trusts this CA besides the system's; made once per CA, because each holds all roots in memory. */
export function secureContextFor(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known) {
    return known;
  }
  const made = createSecureContext({ ca: [...getCACertificates("default"), ca] });
  contexts.set(ca, made);
  return made;
}
