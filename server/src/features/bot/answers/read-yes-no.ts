import { withoutCourtesy, withoutGreeting } from "./courtesy.ts";
import { bareAnswer, plainText, wordsOf } from "./plain-words.ts";
import { readNumber } from "./read-number.ts";

/** In plain letters, in every language on every connection: customers do not know which it is. */
const yes: ReadonlySet<string> = new Set([
  ...["sim", "s", "ss", "sim sim", "sim pode", "sim quero", "sim claro", "claro", "claro que sim", "com certeza"],
  ...[
    "pode",
    "pode sim",
    "pode mandar",
    "pode enviar",
    "manda",
    "quero",
    "quero sim",
    "aceito",
    "confirmo",
    "confirmado",
  ],
  ...["ok", "okay", "oks", "yes", "y", "yep", "yeah", "sure", "of course", "yes please", "i agree", "i do"],
  ...["si", "si claro", "si quiero", "por supuesto", "dale", "quiero", "acepto", "de acuerdo", "vale", "positivo"],
]);
const no: ReadonlySet<string> = new Set([
  ...["nao", "n", "nn", "nao nao", "nao quero", "nao pode", "nao aceito", "nao obrigado", "nao obrigada", "agora nao"],
  ...["negativo", "nem pensar", "de jeito nenhum", "nao mande", "nao envie"],
  ...["no", "nope", "nah", "no thanks", "no thank you", "not now", "i do not", "i don t"],
  ...["no gracias", "no quiero", "no acepto", "ahora no", "para nada"],
]);
const yesSigns = /^(?:👍|👌|✅|🆗|✔)\p{Emoji_Modifier}?\uFE0F?$/u;
const noSigns = /^(?:👎|❌|🚫|✖)\p{Emoji_Modifier}?\uFE0F?$/u;

/**
 * What a text says to a question: sim, s, ok, 1, yes, sí or não, n, 2, no, in their dresses ("1️⃣", "*SIM!*", "sim, por favor",
 * 👍). Undefined for anything else, a sentence that only begins so too: a person reads it.
 */
export function readYesNo(text: string): "yes" | "no" | undefined {
  const bare = bareAnswer(text);
  const number = readNumber(text);
  if (number !== undefined) {
    return number === 1 ? "yes" : number === 2 ? "no" : undefined;
  }
  if (yesSigns.test(bare) || noSigns.test(bare)) {
    return yesSigns.test(bare) ? "yes" : "no";
  }
  if (text.includes("?")) {
    return undefined;
  }
  const all = wordsOf(text);
  const ungreeted = wordsOf(withoutGreeting(plainText(text)));
  const readings = [all, withoutCourtesy(all), ungreeted, withoutCourtesy(ungreeted)].flatMap((words) => [
    words.join(" "),
    words.map(unstretched).join(" "),
  ]);
  if (readings.some((reading) => no.has(reading))) {
    return "no";
  }
  return readings.some((reading) => yes.has(reading)) ? "yes" : undefined;
}

/** `simmm` is `sim`. */
function unstretched(word: string): string {
  return word.replace(/(\p{L})\1+$/u, "$1");
}
