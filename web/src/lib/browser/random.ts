/**
 * Random values for a page that came by `http://192.168…` as well (decision 0288): `crypto.randomUUID` is there only over HTTPS or from
 * this machine, `getRandomValues` everywhere. Lint keeps all others from `crypto`.
 */

/** So many random bytes as text, two hex digits for each. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** A new random id: a UUID of version 4. */
export function newId(): string {
  // RFC 9562: the 13th digit is the version, the 17th begins with the bits of the variant.
  return randomHex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})/u, "$1-$2-4$3-8$4-");
}
