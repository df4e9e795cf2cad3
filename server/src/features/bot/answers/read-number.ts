import { isCourtesy, withoutGreeting } from "./courtesy.ts";
import { plainText, wordsOf } from "./plain-words.ts";

/** Number words of the three languages in plain letters; each line's index is its number. */
const numberWords: readonly string[] = [
  "zero|cero",
  "um|uma|one|uno|una",
  "dois|duas|two|dos",
  "tres|three",
  "quatro|four|cuatro",
  "cinco|five",
  "seis|six",
  "sete|seven|siete",
  "oito|eight|ocho",
  "nove|nine|nueve",
  "dez|ten|diez",
  "onze|eleven|once",
  "doze|twelve|doce",
  "treze|thirteen|trece",
  "quatorze|catorze|fourteen|catorce",
  "quinze|fifteen|quince",
  "dezesseis|dezasseis|sixteen|dieciseis",
  "dezessete|dezassete|seventeen|diecisiete",
  "dezoito|eighteen|dieciocho",
  "dezenove|dezanove|nineteen|diecinueve",
  "vinte|twenty|veinte",
];
const numberOfWord = new Map(
  numberWords.flatMap((words, number) => words.split("|").map((word) => [word, number] as const)),
);

const marks = String.raw`[\s*_~(\[{"'“‘#>•-]{0,12}`;
const giving = "(?:eu )?(?:dou|daria|doy|i give|i would give)(?: um| uma| un| una| a)? ";
const choosing =
  "(?:(?:eu )?(?:quero|queria|escolho|prefiro|pode ser|seria|e|acho que e|acho que|vou de|i want|i choose|i ll take|" +
  "quiero|elijo|escojo) )?(?:(?:a|o|la|el|the) )?";
const noun = String.raw`(?:(?:opcao|opc|op|option|opcion|numero|number|num|nro|nr|no|n|nota|item|alternativa|rating)[.:#]*\s*){0,2}`;
const digits = String.raw`(?<digits>\d{1,4})(?![\p{L}\d])`;
const word = String.raw`(?<!\p{L})(?<word>${[...numberOfWord.keys()].join("|")})(?![\p{L}\d])`;
const head = new RegExp(`^${marks}(?:${giving}|${choosing})${noun}${marks}(?:${digits}|${word})`, "u");

/** Nothing but marks after the number: `1.`, `1)`, `[ 1 ]*`. No currency, per cent or slash: these are amounts and dates. */
const onlyMarks = /^[\s*_~)\]}"'”’.,;:!?-]*$/u;
/** A separator and then words, not digits: `1 - Vendas`, `1) Vendas`, but not `10:30` or `1.5`. */
const separatorThenWords = /^[ \t*_~}"'”’]*(?:[-–—:()\].]|\n)[\s*_~"'“(\][)-]*\p{L}/u;
/** After a spelled number: it begins a sentence (`um abraço`, `um. não sei`), unless a request or thanks follows. */
const isSentence =
  /^(?:[\s*_~]*\.+\s*|\s+)(?!por favor|porfa|pf|please|pl[sz]|o?brigad|obg|valeu|vlw|thank|thx|gracias)\p{L}/u;

/** A number at the beginning of an answer, and what follows it, in plain letters. */
export interface LeadingNumber {
  readonly number: number;
  /** Written as a word: `três`. */
  readonly isSpelled: boolean;
  readonly rest: string;
}

/** The number that an answer begins with, after a greeting and words such as "opção"; what follows may be anything. */
export function leadingNumber(text: string): LeadingNumber | undefined {
  const plain = plainText(text);
  return numberAtStart(plain) ?? numberAtStart(withoutGreeting(plain));
}

/**
 * The number that an answer consists of, in any dress (behaviour 5, rule 6): `1.`, `*[ 1 ]*`, `1️⃣`, `nº 1`, `opção um`,
 * `1, obrigada`, `1 - Vendas`. Not a number in a sentence, a time, an amount, a phone.
 */
export function readNumber(text: string): number | undefined {
  const found = leadingNumber(text);
  return found && endsAnswer(found) ? found.number : undefined;
}

/** True if what follows a number leaves it the whole answer: marks, courtesies, or a separator and words. */
export function endsAnswer({ isSpelled, rest }: LeadingNumber): boolean {
  if (isSpelled && isSentence.test(rest)) {
    return false;
  }
  return onlyMarks.test(rest) || separatorThenWords.test(rest) || isCourtesyAfter(rest);
}

function isCourtesyAfter(rest: string): boolean {
  return /^[\s*_~)\]}"'”’.,;!-]+\p{L}/u.test(rest) && isCourtesy(wordsOf(rest));
}

function numberAtStart(plain: string): LeadingNumber | undefined {
  const match = head.exec(plain);
  if (!match) {
    return undefined;
  }
  const rest = plain.slice(match[0].length);
  const { digits: written, word: spelled } = match.groups ?? {};
  return spelled === undefined
    ? { number: Number(written), isSpelled: false, rest }
    : { number: numberOfWord.get(spelled) ?? 0, isSpelled: true, rest };
}
