import type { CitedSource } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { readCitations } from "#server/features/knowledge/index.ts";
import type { KnowledgeOfQuestion } from "#server/features/knowledge/index.ts";
import type { ReadAnswer } from "./read-answer.ts";

/** What is said where neither the company's texts nor its instructions answer; the promise only where a person is there to come. */
const unknownTexts: Readonly<Record<Language, { readonly text: string; readonly promise: string }>> = {
  pt: { text: "Não sei responder a isso com certeza.", promise: "Vou chamar uma pessoa para ajudar você." },
  en: { text: "I do not know that for sure.", promise: "Somebody from our team will help you here." },
  es: { text: "No sé responder eso con certeza.", promise: "Le paso con una persona del equipo." },
};

export interface CitedAnswer extends ReadAnswer {
  /** For the agents; the customer does not see them. */
  readonly sources: readonly CitedSource[];
  /** Follows the text where a person is there to come. */
  readonly promise?: string;
}

/** Says that the answer is not known, and calls a person. */
export function unknownAnswer(language: Language): CitedAnswer {
  return { ...unknownTexts[language], handsOver: true, sources: [] };
}

/** Takes the numbers of passages out of an answer; where the model says that it does not know, a person is called. Pure. */
export function citedAnswer(
  { text, handsOver }: ReadAnswer,
  { text: quoted, passages }: KnowledgeOfQuestion,
  language: Language,
): CitedAnswer {
  if (quoted === "") {
    return { text, handsOver, sources: [] };
  }
  const read = readCitations(text, passages);
  // Nothing but numbers is no answer either.
  return read.text === "" && (read.isUnknown || !handsOver)
    ? unknownAnswer(language)
    : { text: read.text, handsOver: handsOver || read.isUnknown, sources: read.sources };
}
