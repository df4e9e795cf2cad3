import { foldForSearch } from "#web/lib/text/foldForSearch.ts";

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  /** What is searched instead of the label, such as a name with its text. */
  readonly words?: string;
  /** Other words for it: found from their beginning, after what the label has. */
  readonly aka?: string | undefined;
}

/** Items that contain every typed word, at the beginning of words first; ignores accents and case. */
export function matchCommands<T extends PaletteItem>(items: readonly T[], text: string): T[] {
  const wanted = foldForSearch(text).trim().split(/\s+/).filter(Boolean);
  return items
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .filter(({ rank }) => rank < MISS)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const MISS = 9;

function rankOf({ label: shown, words, aka = "" }: PaletteItem, wanted: readonly string[]): number {
  const label = foldForSearch(words ?? shown).trim();
  // "desligar o robô"
  const isSmall = (word: string) => wanted.length > 1 && word.length < 3 && aka !== "";
  const others = ` ${foldForSearch(aka)}`;
  const ranks = wanted.map((word) =>
    label.startsWith(word)
      ? 0
      : label.includes(` ${word}`)
        ? 1
        : label.includes(word)
          ? 2
          : others.includes(` ${word}`) || isSmall(word)
            ? 3
            : MISS,
  );
  return Math.max(0, ...ranks);
}
