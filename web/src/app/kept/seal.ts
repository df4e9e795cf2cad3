/** How is what the browser keeps encrypted? AES-GCM of WebCrypto, which browsers have on https and localhost only. */

export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

/** The key from the server's base64url text; it cannot be read back from the object. */
export async function importKey(text: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

export async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  return { iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text) };
}

/** Undefined where it was sealed with another key: by another session. */
export async function unseal(key: CryptoKey, { iv, data }: Sealed): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, data)));
  } catch {
    return undefined;
  }
}

/** The name of a record, which does not tell what is in it. */
export async function nameOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...hash));
}
