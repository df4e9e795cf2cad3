/**
 * The text without the signature (M-11) of the person with this name. CRLF follows it in captions that older servers stored as a form
 * sends them.
 */
export function withoutSignature(text: string, name: string): string {
  const signature = [`*${name}*\n`, `*${name}*\r\n`].find((each) => text.startsWith(each)) ?? "";
  return text.slice(signature.length);
}
