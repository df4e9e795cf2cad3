/**
 * A message's text where it is only hinted at, without WhatsApp's marks: *bold*, _italic_, ~strikethrough~ and `code`.
 * What stands inside a word or an address is no mark and stays.
 */
export function withoutMarks(text: string): string {
  return text.replace(/```/gu, "").replace(pair, "$2").replace(pair, "$2");
}

/** The same of a text that comes in pieces, whose marks may open in one piece and close in another. */
export function piecesWithoutMarks(pieces: readonly string[]): string[] {
  const plain = withoutMarks(pieces.join("")).replace(closedAlone, "$1").replace(openAlone, "$1");
  let at = 0;
  return pieces.map((piece) =>
    [...piece]
      // marks are only left out: whatever of the text is not next in the plain one was a mark
      .filter((character) => {
        const isKept = plain.startsWith(character, at);
        at += isKept ? character.length : 0;
        return isKept;
      })
      .join(""),
  );
}

/** A mark whose other half was cut off with the rest of the message. */
const closedAlone = /^(…[^*_~`\n]*[^\s*_~`])[*_~`](?![\p{L}\p{N}])/u;
const openAlone = /(?<![\p{L}\p{N}/._-])[*_~`](?=\S)([^*_~`\n]*…)$/u;

const pair = /(?<![\p{L}\p{N}/._-])([*_~`])(?=\S)([^\n]{0,200}?\S)\1(?![\p{L}\p{N}])/gu;
