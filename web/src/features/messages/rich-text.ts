/** A node of a message's parsed text. Nodes are rendered, never markup, so nothing can be injected (M-03). */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bold" | "italic" | "strike"; readonly pieces: readonly Piece[] }
  | { readonly kind: "code"; readonly text: string; readonly isBlock: boolean }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | { readonly kind: "break" };

const marks = { "*": "bold", _: "italic", "~": "strike" } as const;
type Mark = keyof typeof marks;

// a URL ends before the punctuation that closes a sentence
const link = String.raw`\b(?:https?:\/\/|www\.)[^\s<>"']+[^\s<>"'.,;:!?)\]}*_~]`;
const anyLink = new RegExp(link, "giu");
const linkAtPosition = new RegExp(link, "yiu");
const wordCharacter = /[\p{L}\p{N}]/u;
const maxDepth = 6;

/** Parses WhatsApp's formatting: *bold*, _italic_, ~strikethrough~, `code`, ```block```, links and line breaks. */
export function parseRichText(text: string): Piece[] {
  return parseBlocks(text);
}

function parseBlocks(text: string): Piece[] {
  const parts = text.split("```");
  if (parts.length < 3) {
    return parseMarks(text, 0);
  }
  // an odd number of fences leaves the last one as text
  const closed =
    parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), `${parts.at(-2) ?? ""}\`\`\`${parts.at(-1) ?? ""}`];
  return closed.flatMap((part, index): Piece[] =>
    index % 2 === 1 ? [{ kind: "code", text: part.replace(/^\n|\n$/g, ""), isBlock: true }] : parseMarks(part, 0),
  );
}

function parseMarks(text: string, depth: number): Piece[] {
  const pieces: Piece[] = [];
  // an unclosed mark has no end for later ones of its line either: parsing a line full of marks stays linear
  const unclosedUntil = new Map<string, number>();
  let plainFrom = 0;
  let at = 0;

  while (at < text.length) {
    const mark = text.charAt(at);
    const end = depth < maxDepth && isMark(mark) ? closingOf(text, at, mark, unclosedUntil) : undefined;
    if (end === undefined) {
      at = linkEnd(text, at) ?? at + 1;
    } else {
      pieces.push(...parseLinks(text.slice(plainFrom, at)), marked(mark, text.slice(at + 1, end), depth));
      at = end + 1;
      plainFrom = at;
    }
  }
  return [...pieces, ...parseLinks(text.slice(plainFrom))];
}

function isMark(character: string): boolean {
  return character === "`" || character in marks;
}

function marked(mark: string, inner: string, depth: number): Piece {
  return mark === "`"
    ? { kind: "code", text: inner, isBlock: false }
    : { kind: marks[mark as Mark], pieces: parseMarks(inner, depth + 1) };
}

/** The end of a link at this position. Links are skipped whole, so that underscores of a URL format nothing. */
function linkEnd(text: string, at: number): number | undefined {
  if (!/[hw]/iu.test(text.charAt(at))) {
    return undefined;
  }
  linkAtPosition.lastIndex = at;
  return linkAtPosition.test(text) ? linkAtPosition.lastIndex : undefined;
}

/** A mark opens at a word's start and closes at a word's end, on one line, around something that is not blank. */
function closingOf(text: string, at: number, mark: string, unclosedUntil: Map<string, number>): number | undefined {
  const opensWord = !wordCharacter.test(text.charAt(at - 1)) && /\S/u.test(text.charAt(at + 1));
  if (!opensWord || text.charAt(at + 1) === mark || at < (unclosedUntil.get(mark) ?? 0)) {
    return undefined;
  }
  const newLine = text.indexOf("\n", at);
  const lineEnd = newLine === -1 ? text.length : newLine;
  for (let end = text.indexOf(mark, at + 2); end !== -1 && end < lineEnd; end = text.indexOf(mark, end + 1)) {
    if (/\S/u.test(text.charAt(end - 1)) && !wordCharacter.test(text.charAt(end + 1))) {
      return end;
    }
  }
  unclosedUntil.set(mark, lineEnd);
  return undefined;
}

function parseLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(anyLink)) {
    pieces.push(...parseBreaks(text.slice(from, match.index)));
    pieces.push({ kind: "link", text: match[0], href: /^https?:/iu.test(match[0]) ? match[0] : `https://${match[0]}` });
    from = match.index + match[0].length;
  }
  return [...pieces, ...parseBreaks(text.slice(from))];
}

function parseBreaks(text: string): Piece[] {
  return text
    .split("\n")
    .flatMap((line, index): Piece[] => [
      ...(index > 0 ? [{ kind: "break" as const }] : []),
      ...(line === "" ? [] : [{ kind: "text" as const, text: line }]),
    ]);
}
