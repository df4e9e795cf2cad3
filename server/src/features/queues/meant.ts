/** Letters alone: without those that nobody sees, and in their plain form, so that 1️⃣ and １ are 1. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\u20e3]/gu, "")
    .trim();
}

const before = /^[\s*_~([{"'“]+/u;
const after = /[\s*_~)\]}"'”.,;:!?]+$/u;

/** What an answer to a menu means: `[ 1 ]`, `1.` and `*1*` are 1, and SAIR! is sair. */
export function meant(text: string): string {
  const letters = plainLetters(text).toLowerCase();
  const bare = letters.replace(before, "").replace(after, "");
  return bare === "" ? letters : bare;
}
