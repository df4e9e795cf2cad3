/** What older systems write in place of UTF-8; a superset of ISO-8859-1, as in browsers. */
const fallback = "windows-1252";

/**
 * The text of a body that may have been cut. UTF-8 where it is that, whatever it says of itself; else in the charset that it names, or
 * windows-1252, where no letter beyond ASCII is UTF-8: many systems send the letters of their database. A byte order mark is left out. Pure.
 */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  try {
    // `stream`: a letter that was cut at the end is left out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    const lossy = new TextDecoder().decode(bytes);
    const isUtf8 = /[^\p{ASCII}\uFFFD]/u.test(lossy);
    return isUtf8 ? lossy : decodedAs(bytes, contentType);
  }
}

function decodedAs(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(contentType)?.[1] ?? fallback;
  try {
    return new TextDecoder(/^utf-?8$/iu.test(named) ? fallback : named).decode(bytes);
  } catch {
    // a charset that nobody knows
    return new TextDecoder(fallback).decode(bytes);
  }
}
