import { withoutCourtesy } from "./courtesy.ts";
import { bareAnswer, plainText, wordsOf } from "./plain-words.ts";
import { readNumber } from "./read-number.ts";
import { withoutRequest } from "./request.ts";

/** A line of a menu: what the customer types, and the words beside it. */
export interface Choice {
  readonly option: string;
  readonly title: string;
}

/** The letters that tell a title's beginning from a chance word (behaviour 5, rule 6). */
const minBeginning = 4;

/**
 * The choice that an answer means (behaviour 5, rule 6): its option, its title, its number, or the beginning of one title.
 * What fits two choices chooses neither.
 */
export function matchChoice<C extends Choice>(choices: readonly C[], text: string): C | undefined {
  const lines = choices.map((choice) => ({ choice, option: keyOf(choice.option), title: titleKey(choice.title) }));
  const words = withoutCourtesy(wordsOf(text));
  const written = titleKey(text);
  // From what was written to what was meant: "vendas por favor", "vendas"; "falar com vendas", "vendas".
  const readings = [written, words.join(" "), withoutRequest(words).join(" ")].filter((reading) => reading !== "");
  const typed = [keyOf(text), ...readings.slice(0, 2)].filter((reading) => reading !== "");
  const number = readNumber(text);
  const found =
    only(lines, ({ option }) => typed.includes(option)) ??
    only(lines, ({ title }) => readings.includes(title)) ??
    only(lines, ({ option, title }) =>
      readings.some((each) => [`${option} ${title}`, `${title} ${option}`].includes(each)),
    ) ??
    only(lines, ({ option }) => number !== undefined && /^\d+$/u.test(option) && Number(option) === number) ??
    only(lines, ({ title }) => readings.some((reading) => isBeginning(title, reading)));
  return found?.choice;
}

function isBeginning(title: string, beginning: string): boolean {
  const length = beginning.replaceAll(" ", "").length;
  return length >= minBeginning && /\p{L}/u.test(beginning) && title.startsWith(beginning);
}

/** An option or an answer, to compare them: marks around it, case and accents do not count. */
function keyOf(text: string): string {
  return plainText(bareAnswer(text)) || bareAnswer(text);
}

/** A title in plain words; one of emoji alone is compared as it is. */
function titleKey(text: string): string {
  return wordsOf(text).join(" ") || bareAnswer(text);
}

function only<T>(lines: readonly T[], isMeant: (line: T) => boolean): T | undefined {
  const [found, ...others] = lines.filter(isMeant);
  return others.length === 0 ? found : undefined;
}
