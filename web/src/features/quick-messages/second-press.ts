/** A notice about a text, and when it was shown. */
export interface Told {
  readonly text: string;
  readonly at: number;
}

/** Sooner (ms) it is a double tap: nobody has read the notice. */
const READ_AFTER_MS = 600;

/** Later (ms) the notice is long gone. */
const KNOWN_FOR_MS = 60_000;

/** Is this press an answer to the notice, for the same text? `now` in ms. */
export function isSecondPress(told: Told | undefined, text: string, now: number): boolean {
  const since = told?.text === text ? now - told.at : 0;
  return since >= READ_AFTER_MS && since < KNOWN_FOR_MS;
}
