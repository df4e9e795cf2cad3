const LONGEST = 300;

/**
 * What an error says without what it quotes: the operator sees every company's jobs, and libraries put into their words
 * what they could not read, addresses with codes in them, and whom they could not reach.
 */
export function redactError(error: string): string {
  const told = error
    .replace(/\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/@]*@)?([^\s/?#"'`<>@]+)[^\s"'`<>]*/giu, "$1://$2/…")
    .replace(/[{[][^]*[}\]]/gu, "…")
    .replace(/"[^]*"|“[^]*”|`[^]*`|(?<!\p{L})'[^]*'(?!\p{L})/gu, "…")
    .replace(/[^\s@<>]+@[^\s@<>]+/gu, "…")
    .replace(/\+?\d[\d\s().-]{6,}\d/gu, "…")
    .replace(/[\w+/=.-]{24,}/gu, (word) => (isReadable(word) ? word : "…"))
    .replace(/(?:…\s*){2,}/gu, "… ")
    .trim();
  return told.length > LONGEST ? `${told.slice(0, LONGEST - 1)}…` : told;
}

/** `jobs_one_waiting_per_key` is a name, `eyJhbGciOiJIUzI1NiJ9` is not: keys and tokens mix cases and digits. */
function isReadable(word: string): boolean {
  return /^[a-z_.-]+$/u.test(word) || /^[A-Z_]+$/u.test(word);
}
