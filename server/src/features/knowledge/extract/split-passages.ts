import { knowledgeRules } from "@prosa/contract";
import { storableText } from "#server/platform/storable-text.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import type { Section } from "./sections-of-text.ts";

/** What a prompt is given at once: long enough to answer a question, short enough that six of them cost little. */
export type Passage = Section;

const { min, max } = knowledgeRules.passage;
const maxHeading = 200;

/**
 * Splits sections into passages of at most `max` characters, at paragraphs, else at sentences, else between words. Short paragraphs
 * of one section are joined up to `min`. Pure.
 */
export function splitIntoPassages(sections: readonly Section[]): Passage[] {
  return sections.flatMap(({ heading, page, text }) =>
    joined(
      storableText(text)
        .split(/\n\s*\n/u)
        .flatMap(partsOf),
    ).map((part) => {
      return { heading: truncateText(storableText(heading), maxHeading), page, text: part };
    }),
  );
}

/** A paragraph in parts that are short enough. */
function partsOf(paragraph: string): string[] {
  const rest = paragraph.trim();
  if (rest.length <= max) {
    return rest === "" ? [] : [rest];
  }
  return joined(rest.split(/(?<=[.!?…;:])\s+|\n+/u).flatMap(cutAtWords), " ");
}

/** A sentence without an end: a table, a list without stops, a word of a thousand letters. */
function cutAtWords(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence.trim();
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    // not between the halves of an emoji
    const part = space > min ? rest.slice(0, space) : truncateText(rest, max);
    parts.push(part.trim());
    rest = rest.slice(part.length).trim();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** Joins neighbours until they are long enough, never beyond the maximum. */
function joined(parts: readonly string[], between = "\n\n"): string[] {
  const whole: string[] = [];
  for (const part of parts) {
    const before = whole.at(-1);
    if (before !== undefined && before.length < min && before.length + between.length + part.length <= max) {
      whole[whole.length - 1] = `${before}${between}${part}`;
    } else {
      whole.push(part);
    }
  }
  return whole;
}
