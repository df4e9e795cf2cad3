import { foldText, normalizeAnswer } from "@prosa/contract/normalize-answer";

/** An answer is told within these characters; what follows is a letter, whose marks and spaces are not searched. */
const maxAnswerLength = 500;

/** Emoji with their skin tones and flags. Digits are no emoji here, though Unicode's `\p{Emoji}` counts them. */
const pictures = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;

/** Lower case without accents, invisible characters and emoji, to compare words: `Opção 1️⃣ 👍` is `opcao 1`. */
export function plainText(text: string): string {
  return folded(text)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(pictures, " ")
    .trim();
}

/** The words and numbers of a text in plain letters, without marks. */
export function wordsOf(text: string): string[] {
  return plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** An answer or an option without the marks around it; signs such as # and ? stay. */
export function bareAnswer(text: string): string {
  return normalizeAnswer(text.slice(0, maxAnswerLength));
}

/** True for 👍, ❤️ or 🙏😊: emoji and nothing else. */
export function isOnlyEmoji(text: string): boolean {
  return folded(text) !== "" && plainText(text) === "";
}

/** Folds what NFKC would spoil first: nº is no word "no", 🔟 is a number, <3 is a heart. */
function folded(text: string): string {
  return foldText(
    text.slice(0, maxAnswerLength).replaceAll(/[ªº°]/gu, "").replaceAll("🔟", "10").replaceAll("<3", "❤"),
  );
}
