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

/** Pairs of each kind, the most alike; none where one text finds a tenth more than the other. */
const MOST_PAIRS = 20;
const UNLIKE = Math.log(1.1);

/** How many conversations a text finds; undefined where the search stopped before it knew. */
export type Count = (text: string) => Promise<number | undefined>;

/**
 * Texts of both companies of which each pair finds as many conversations: what is compared is the same page out of more messages and names.
 * Kinds that nobody wants are not looked for.
 */
export async function matchedTexts(
  inLarge: Count,
  inSmall: Count,
  isWanted: (what: string) => boolean,
): Promise<{ readonly large: Texts; readonly small: Texts }> {
  const large: Record<string, readonly string[]> = {};
  const small: Record<string, readonly string[]> = {};
  for (const [what, texts] of Object.entries(candidates()).filter(([what]) => isWanted(what))) {
    const pairs = mostAlike(await counted(texts, inLarge), await counted(texts, inSmall));
    console.log(`${what}: ${pairs.map(({ one, other }) => `${one.count}/${other.count}`).join(" ")}`);
    large[what] = pairs.map(({ one }) => one.text);
    small[what] = pairs.map(({ other }) => other.text);
  }
  return { large, small };
}

interface Counted {
  readonly text: string;
  readonly count: number;
}

async function counted(texts: readonly string[], countOf: Count): Promise<Counted[]> {
  const all: Counted[] = [];
  for (const text of texts) {
    const count = await countOf(text);
    if (count !== undefined && count >= 5) {
      all.push({ text, count });
    }
  }
  return all;
}

interface Pair {
  readonly one: Counted;
  readonly other: Counted;
}

/** Each text once. */
function mostAlike(inLarge: readonly Counted[], inSmall: readonly Counted[]): Pair[] {
  const unlikeness = ({ one, other }: Pair) => Math.abs(Math.log(one.count / other.count));
  const pairs = inLarge
    .flatMap((one) => inSmall.map((other) => ({ one, other })))
    .filter((pair) => unlikeness(pair) <= UNLIKE)
    .toSorted((a, b) => unlikeness(a) - unlikeness(b));
  const taken = new Set<Counted>();
  const kept: Pair[] = [];
  for (const pair of pairs) {
    if (kept.length < MOST_PAIRS && !taken.has(pair.one) && !taken.has(pair.other)) {
      kept.push(pair);
      taken.add(pair.one).add(pair.other);
    }
  }
  return kept;
}

/** Parts of names of which each company has few and many, and pairs of words of many ranks. */
function candidates(): Texts {
  const known = vocabulary();
  const endsOfFirst = ["", "a ", "o ", "la ", "Fábio ", "Inês "];
  const numbers = [
    "",
    ...Array.from({ length: 9 }, (_, n) => String(n + 1)),
    "12",
    "27",
    "33",
    "44",
    "58",
    "121",
    "276",
    "333",
  ];
  const ranks = Array.from({ length: 14 }, (_, n) => Math.round(8 * 1.6 ** n));
  return {
    "name, as many found": endsOfFirst.flatMap((first) =>
      ["Dias", "Gomes", "Barros"].flatMap((last) => numbers.map((number) => `${first}${last} ${number}`.trim())),
    ),
    "two words, as many found": ranks.flatMap((rank, n) =>
      [1, 2, 3, 5, 8].map((step) => `${known[rank + n]} ${known[Math.round(rank * step) + 20 + n]}`),
    ),
  };
}
