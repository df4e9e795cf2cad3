const MAX_LENGTH = 300;

/**
 * Redacts what an error message quotes: values, URLs with tokens, addresses of people. Operators see the jobs of all companies,
 * and libraries put such data into their messages.
 */
export function redactError(error: string): string {
  const redacted = error
    .replace(/\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/@]*@)?([^\s/?#"'`<>@]+)[^\s"'`<>]*/giu, "$1://$2/…")
    .replace(/[{[][^]*[}\]]/gu, "…")
    .replace(/"[^]*"|“[^]*”|`[^]*`|(?<!\p{L})'[^]*'(?!\p{L})/gu, "…")
    .replace(/[^\s@<>]+@[^\s@<>]+/gu, "…")
    .replace(/\+?\d[\d\s().-]{6,}\d/gu, "…")
    .replace(/[\w+/=.-]{24,}/gu, (word) => (isReadable(word) ? word : "…"))
    .replace(/(?:…\s*){2,}/gu, "… ")
    .trim();
  return redacted.length > MAX_LENGTH ? `${redacted.slice(0, MAX_LENGTH - 1)}…` : redacted;
}

/** Identifiers like `jobs_one_waiting_per_key` stay; keys and tokens like `eyJhbGciOiJIUzI1NiJ9` mix cases and digits. */
function isReadable(word: string): boolean {
  return /^[a-z_.-]+$/u.test(word) || /^[A-Z_]+$/u.test(word);
}
