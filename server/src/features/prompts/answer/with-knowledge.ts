import type { CitedSource } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { readCitations } from "#server/features/knowledge/index.ts";
import type { KnowledgeOfQuestion } from "#server/features/knowledge/index.ts";
import type { ReadAnswer } from "./read-answer.ts";

/** What is said where neither the company's texts nor its instructions answer, before a person is called. */
const unknownTexts: Readonly<Record<Language, string>> = {
  pt: "Não sei responder a isso com certeza. Vou chamar uma pessoa para ajudar você.",
  en: "I do not know that for sure. I will call a person to help you.",
  es: "No sé responder eso con certeza. Voy a llamar a una persona para ayudarle.",
};

export interface CitedAnswer extends ReadAnswer {
  /** For the agents; the customer does not see them. */
  readonly sources: readonly CitedSource[];
}

/** Says that the answer is not known, and calls a person. */
export function unknownAnswer(language: Language): CitedAnswer {
  return { text: unknownTexts[language], handsOver: true, sources: [] };
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
