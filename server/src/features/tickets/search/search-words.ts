/** The words of a search text, by how the trigram index can find them. */
export interface Words {
  readonly anywhere: readonly string[];
  /** One or two letters. */
  readonly beginnings: readonly string[];
  /** Punctuation, which the index does not have. */
  readonly others: readonly string[];
}

/** The words of a search text, each once. */
export function wordsOf(searchParam: string): Words {
  const words = [...new Set(searchParam.normalize("NFC").split(/\s+/))];
  const isShort = (word: string) => /^[\p{L}\p{N}]{1,2}$/u.test(word);
  // three letters or digits in a row, or fewer beside punctuation inside the word
  const isWordIndexed = (word: string) =>
    /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word);
  return {
    anywhere: words.filter((word) => !isShort(word) && isWordIndexed(word)),
    beginnings: words.filter(isShort),
    others: words.filter((word) => !isShort(word) && !isWordIndexed(word)),
  };
}

/** Pattern of what is before a word, in SQL and in JavaScript. The index can use it because it lists the characters. */
export const beforeWord = String.raw`(^|[\t\n -/:-@\[-\x60{-~])`;

/** Letters with a stroke and the dotless i: Unicode takes none of them apart, and folded() writes each as its plain letter. */
const stroked: Readonly<Record<string, string>> = { đ: "d", ø: "o", ł: "l", ħ: "h", ŧ: "t", ı: "i" };

/**
 * In small letters and without the accents of Latin letters, nearly as folded() writes the texts that are searched. Marks of other
 * scripts stay: they are the vowels of Hindi, and the hamza that makes an Arabic alef another letter.
 */
export function withoutAccents(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1");
  return plain
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[đøłħŧı]/g, (letter) => stroked[letter] ?? letter);
}

/** What names and numbers contain: the text, and a number as people write it without its spaces, brackets and dashes. */
export function termsOf(searchParam: string): readonly string[] {
  const digits = searchParam.replaceAll(/[\s().+-]/g, "");
  return /^\d{3,}$/.test(digits) && digits !== searchParam ? [searchParam, digits] : [searchParam];
}

/** Is the search text long enough for the index of names and numbers? */
export function areNamesIndexed(searchParam: string): boolean {
  return termsOf(searchParam).every((term) => [...term].length >= 3);
}
