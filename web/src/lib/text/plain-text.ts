/**
 * Strips WhatsApp's formatting (*bold*, _italic_, ~strikethrough~, `code`) from a preview of a message. Marks inside a
 * word or URL stay.
 */
export function stripFormatting(text: string): string {
  return text.replace(/```/gu, "").replace(pair, "$2").replace(pair, "$2");
}

/** The same for a text in pieces, where a mark may open in one piece and close in another. */
export function stripFormattingOfPieces(pieces: readonly string[]): string[] {
  const plain = stripFormatting(pieces.join("")).replace(closedAlone, "$1").replace(openAlone, "$1");
  let at = 0;
  return pieces.map((piece) =>
    [...piece]
      // characters that do not appear next in the plain text were marks
      .filter((character) => {
        const isKept = plain.startsWith(character, at);
        at += isKept ? character.length : 0;
        return isKept;
      })
      .join(""),
  );
}

/** An opening mark whose closing one was cut off with the rest of the message. */
const closedAlone = /^(…[^*_~`\n]*[^\s*_~`])[*_~`](?![\p{L}\p{N}])/u;
const openAlone = /(?<![\p{L}\p{N}/._-])[*_~`](?=\S)([^*_~`\n]*…)$/u;

const pair = /(?<![\p{L}\p{N}/._-])([*_~`])(?=\S)([^\n]{0,200}?\S)\1(?![\p{L}\p{N}])/gu;
