import { isBlank } from "@prosa/contract/blank";

/** A text to send, and which of the five it is, from 1. */
export interface Variant {
  readonly text: string;
  readonly number: number;
}

/**
 * The text that is next in turn, without the blank ones; undefined where all are blank. Each line begins its turn one further
 * than the line before it and counts for itself, so no line waits for another and all are used evenly over all lines.
 * `count`: texts that the line has used. `position`: of the line, from 0.
 */
export function variantInTurn(texts: readonly string[], count: number, position: number): Variant | undefined {
  const written = texts.flatMap((text, index) => (isBlank(text) ? [] : [{ text, number: index + 1 }]));
  return written[(count + position) % written.length];
}
