/** Folds a text to plain characters: removes invisible ones and compatibility forms, so that 1️⃣ and １ are 1. */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\u20e3]/gu, "")
    .trim();
}

const marksBefore = /^[\s*_~([{"'“]+/u;
/** From the beginning of a run alone: a customer's text of 64,000 marks and a letter took 5 s otherwise. */
const marksAfter = /(?<![\s*_~)\]}"'”.,;:!?])[\s*_~)\]}"'”.,;:!?]+$/u;

/** Normalizes an answer to a menu, to compare it with options: `[ 1 ]`, `1.` and `*1*` are 1, and SAIR! is sair. */
export function normalizeAnswer(text: string): string {
  const folded = foldText(text).toLowerCase();
  const bare = folded.replace(marksBefore, "").replace(marksAfter, "");
  return bare === "" ? folded : bare;
}
