/** A text without what PostgreSQL refuses in a text or in JSON, and with it the whole statement: U+0000 and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
