/**
 * A message's text where it is only hinted at, without WhatsApp's marks: *bold*, _italic_, ~strikethrough~ and `code`.
 * What stands inside a word or an address is no mark and stays.
 */
export function withoutMarks(text: string): string {
  return text.replace(/```/gu, "").replace(pair, "$2").replace(pair, "$2");
}

const pair = /(?<![\p{L}\p{N}/._-])([*_~`])(?=\S)([^\n]{0,200}?\S)\1(?![\p{L}\p{N}])/gu;
