import { truncateText } from "#server/platform/truncate-text.ts";
import type { ChatAnswer } from "#server/platform/language-model/index.ts";

/** What a model's answer means. */
export interface ReadAnswer {
  /** For the customer, as it is sent; may be empty. */
  readonly text: string;
  readonly handsOver: boolean;
}

/** Letters of an answer, whatever the model and its limits: about three screens of a phone. */
export const maxLetters = 4_000;
/** What is read of an answer at all: patterns over megabytes of blanks would hold the process. */
const maxRead = 4 * maxLetters;

/**
 * The marker in the dress that models give it, and the sentence that prompts of other products of the family end with: companies
 * bring their instructions along.
 */
const markers = /\[{1,2}\s*hand[\s_-]?over\s*\]{1,2}|a[çc][ãa]o:?\s*transferir para o setor de atendimento\.?/giu;

/**
 * Their beginnings that begin nothing else, at the end of a text that was cut. A person who is called for nothing costs less than one
 * who was promised and whom nobody calls.
 */
const cutMarkers =
  /(?:\[\[\s*(?:h|ha|han)?|\[{1,2}\s*hand[\s_-]?(?:o|ov|ove|over)?\s*|a[çc][ãa]o:?\s*transferir para o s(?:e|et|eto|etor(?: d| de| de a| de at\p{L}*)?)?)$/iu;

/**
 * Reads an answer: nothing in it is a command but the marker. A text that was cut at the limit of tokens ends at its last whole
 * sentence, or before the marker that was cut. Pure.
 */
export function readAnswer({ text: answer, end }: Pick<ChatAnswer, "text" | "end">): ReadAnswer {
  const text = truncateText(answer, maxRead);
  const isMarkerCut = end === "cut" && cutMarkers.test(text);
  const handsOver = isMarkerCut || text.search(markers) !== -1;
  // Control characters that a phone does not show, and PostgreSQL refuses.
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  const plain = text.replaceAll(markers, "").replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/gu, "");
  const whole = isMarkerCut ? plain.replace(cutMarkers, "") : end === "cut" ? wholeSentences(plain) : plain;
  return { text: truncateText(tidy(whole), maxLetters).trim(), handsOver };
}

/** Up to the end of the last sentence or line, if most of the text is before it. */
function wholeSentences(text: string): string {
  // What may have become a marker or a link.
  const before = text.replace(/\[{1,2}\s*[A-Za-z_-]{0,8}$/u, "");
  const ends = [...before.matchAll(/[.!?…](?=\s|$)|\n/gu)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  return last * 3 >= before.length ? before.slice(0, last) : `${before.trimEnd()}…`;
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?<![ \t])[ \t]+\n/gu, "\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
}
