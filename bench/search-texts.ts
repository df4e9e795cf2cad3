/** What people search in the bench. */
import { vocabulary } from "../server/src/testing/vocabulary.ts";

/** Texts by what they are. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/** Rank of the words that are in one of ten thousand messages. */
const RARE = 7_000;

/**
 * Names, words in every tenth message and more, in one of ten thousand, in a few at most, and pairs of words. `share` is of the messages of the
 * large company: in one with a tenth of them rare words are ten times as frequent, so that as many messages are found.
 */
export function textsOf(share: number): Texts {
  const known = vocabulary();
  const wordsAt = (rank: number) => known.slice(Math.round(rank * share), Math.round(rank * share) + 40);
  const rare = wordsAt(RARE);
  return {
    name: names(),
    "common word": ["bom dia", "pedido", "voce", "entrega", "obrigad", "por favor"],
    "rare word": [...rare, "482113", "nenhuma-destas"],
    "word of the long tail": wordsAt(known.length - 40),
    "two words": [
      ...rare.slice(0, 20).map((word, n) => `${word} ${known[n]}`),
      ...Array.from({ length: 20 }, (_, n) => `${known[60 + n]} ${known[80 + n]}`),
    ],
  };
}

/** Names, parts of names and numbers, common and rare ones. */
export function names(): readonly string[] {
  return Array.from(
    { length: 50 },
    (_, n) => [`Ana ${n}`, "Almeida", `9800001${n % 10}`, "zzz", `Fabio Dias ${n}`][n % 5]!,
  );
}

/** Kinds of texts that are matched, and how many each has. */
const MATCHED = 20;

/**
 * Texts of both companies of which each pair finds as many conversations: what is compared is the same page out of more messages and names.
 * `count` says how many a text finds.
 */
export async function matchedTexts(
  inLarge: (text: string) => Promise<number>,
  inSmall: (text: string) => Promise<number>,
): Promise<{ readonly large: Texts; readonly small: Texts }> {
  const large: Record<string, readonly string[]> = {};
  const small: Record<string, readonly string[]> = {};
  for (const [what, candidates] of Object.entries(candidatesOf())) {
    const found = await Promise.all([inLarge, inSmall].map((count) => counted(candidates, count)));
    const pairs = nearest(found[0]!, found[1]!);
    large[what] = pairs.map(([text]) => text);
    small[what] = pairs.map(([, text]) => text);
  }
  return { large, small };
}

interface Counted {
  readonly text: string;
  readonly count: number;
}

async function counted(texts: readonly string[], count: (text: string) => Promise<number>): Promise<Counted[]> {
  const all: Counted[] = [];
  for (const text of texts) {
    all.push({ text, count: await count(text) });
  }
  return all;
}

/** The pairs with the most equal counts, each text once. More than the page shows are found, or a few at least; nothing that stopped counting. */
function nearest(
  inLarge: readonly Counted[],
  inSmall: readonly Counted[],
): (readonly [large: string, small: string])[] {
  const isComparable = ({ count }: Counted) => count >= 5 && count < 900;
  const pairs = inLarge
    .filter(isComparable)
    .flatMap((one) => inSmall.filter(isComparable).map((other) => ({ one, other })))
    .toSorted((a, b) => unlikeness(a) - unlikeness(b));
  const taken = new Set<Counted>();
  const kept: (readonly [string, string])[] = [];
  for (const { one, other } of pairs) {
    if (kept.length < MATCHED && !taken.has(one) && !taken.has(other)) {
      taken.add(one).add(other);
      kept.push([one.text, other.text]);
    }
  }
  return kept;
}

const unlikeness = ({ one, other }: { readonly one: Counted; readonly other: Counted }) =>
  Math.abs(Math.log(one.count / other.count));

/** Names and numbers of which each company has some in few and some in many contacts, and pairs of words of many ranks. */
function candidatesOf(): Texts {
  const known = vocabulary();
  const people = ["Fábio Dias", "Carla Gomes", "Hugo Barros", "Inês Farias"];
  const prefixes = Array.from({ length: 40 }, (_, n) => String(n * n + 1));
  const ranks = Array.from({ length: 14 }, (_, n) => Math.round(8 * 1.6 ** n));
  return {
    "name, as many found": [
      ...people.flatMap((name) => [name, ...prefixes.map((prefix) => `${name} ${prefix}`)]),
      ...prefixes.map((prefix) => `1198000${prefix}`),
    ],
    "two words, as many found": ranks.flatMap((rank, n) =>
      [1, 2, 3, 5].map((step) => `${known[rank + n]} ${known[Math.round(rank * step) + 20 + n]}`),
    ),
  };
}
