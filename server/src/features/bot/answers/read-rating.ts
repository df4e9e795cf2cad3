import { isCourtesy, withoutCourtesy, withoutGreetingWords } from "./courtesy.ts";
import { wordsOf } from "./plain-words.ts";
import { endsAnswer, leadingNumber } from "./read-number.ts";
import type { LeadingNumber } from "./read-number.ts";
import { isRequest, withoutPraise } from "./request.ts";

export type RatingValue = 1 | 2 | 3;

/** The words of the default request to rate, in plain letters. */
const satisfaction: Readonly<Record<RatingValue, ReadonlySet<string>>> = {
  1: new Set(["insatisfeito", "insatisfeita", "unsatisfied", "dissatisfied", "insatisfecho", "insatisfecha"]),
  2: new Set(["satisfeito", "satisfeita", "satisfied", "satisfecho", "satisfecha"]),
  3: new Set([
    ...["muito satisfeito", "muito satisfeita", "very satisfied", "muy satisfecho", "muy satisfecha"],
    ...["super satisfeito", "super satisfeita"],
  ]),
};
/** Before these words: `fiquei satisfeito`. */
const being = /^(?:eu )?(?:estou|fiquei|to|i am|i m|estoy|quede) /u;
/** What is counted: `três estrelas`. */
const units: ReadonlySet<string> = new Set([
  ...["estrela", "estrelas", "ponto", "pontos", "star", "stars", "point", "points"],
  ...["estrella", "estrellas", "punto", "puntos"],
]);
/** After a numeral these words rate too: `3 muito bom`. */
const judgements: ReadonlySet<string> = new Set([
  ...["muito bom", "muito boa", "bom", "boa", "regular", "ruim", "muito ruim", "pessimo", "adorei", "gostei"],
  ...["very good", "good", "bad", "very bad", "muy bueno", "muy buena", "bueno", "buena", "malo", "mala"],
]);
/** In an answer to this question a comma separates too: `3, muito bom`. */
const commaThenWords = /^[\s*_~)\]}"'”’]*[,;!]+\s*\p{L}/u;

/** A second item of a list: what is numbered are wishes, and none of them rates. */
const nextItem = /(?:\n[\s*_]*\d{1,2}[\s*_]*[.:)–-]|\s\d{1,2}\))[\s*_]*\p{L}/u;
/** A remark on a rating has so many words, courtesies left out; who writes more has something to say to a person. */
const maxRemarkWords = 4;

/** The rating that a text means, as an answer to the request to rate (behaviour 5, rule 2). Undefined if it is none. */
export function readRating(text: string): RatingValue | undefined {
  return ratingInNumbers(text) ?? ratingInStars(text) ?? ratingInWords(text) ?? ratingAtTheEnd(text);
}

/**
 * Does a text that rates also ask for something, which a person must read (decision 0143)? A question, a request, or more than a few
 * words beside the rating. `3, ótimo atendimento, obrigado pela ajuda` and `3, quero agradecer a Maria` ask for nothing.
 */
export function asksBesideRating(text: string): boolean {
  const beside = besideRating(spelledVerb(text));
  const words = withoutPraise(withoutCourtesy(beside));
  // With the courtesies at the end: `e o atendimento excelente` is praise by its last word.
  const isAsked = isRequest(withoutPraise(withoutGreetingWords(beside)));
  const asks = /[?？]/u.test(text) || isAsked || words.length > maxRemarkWords;
  return asks && !isCourtesy(words);
}

/** `é o máximo` as `eh o máximo`: in plain letters "is" would be "and", which names what is asked for (`e a nota fiscal`). */
function spelledVerb(text: string): string {
  return text.normalize("NFC").replaceAll(/(?<!\p{L})é(?!\p{L})/giu, "eh");
}

function besideRating(text: string): readonly string[] {
  const found = leadingNumber(text);
  if (found) {
    return wordsOf(found.rest);
  }
  const words = wordsOf(text);
  return words.at(-2) === "nota" ? words.slice(0, -2) : words;
}

/** `foi ótimo, nota 3` */
function ratingAtTheEnd(text: string): RatingValue | undefined {
  const [last, name] = wordsOf(text).toReversed();
  return name === "nota" && last !== undefined ? ratingInNumbers(last) : undefined;
}

function ratingInNumbers(text: string): RatingValue | undefined {
  const found = leadingNumber(text);
  if (!found || !isRating(found.number) || nextItem.test(found.rest)) {
    return undefined;
  }
  const isAnswer = endsAnswer(found) || commaThenWords.test(found.rest) || isJudgement(found);
  return isAnswer ? found.number : undefined;
}

function isJudgement({ isSpelled, rest }: LeadingNumber): boolean {
  const words = withoutCourtesy(wordsOf(rest)).join(" ");
  const isJudged = !isSpelled && (judgements.has(words) || valueOf(words) !== undefined);
  return /^\s/u.test(rest) && (units.has(words) || isJudged);
}

/** ⭐⭐⭐ */
function ratingInStars(text: string): RatingValue | undefined {
  const stars = text.replaceAll(/[\s\ufe0f]/gu, "");
  const count = [...stars].length;
  return /^[⭐🌟★]+$/u.test(stars) && isRating(count) ? count : undefined;
}

function ratingInWords(text: string): RatingValue | undefined {
  const words = withoutCourtesy(wordsOf(text)).join(" ");
  return valueOf(words) ?? valueOf(words.replace(being, ""));
}

function valueOf(words: string): RatingValue | undefined {
  return ([1, 2, 3] as const).find((value) => satisfaction[value].has(words));
}

function isRating(number: number): number is RatingValue {
  return number === 1 || number === 2 || number === 3;
}
