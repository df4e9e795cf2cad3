/** The words that people add to an answer, or send instead of one when they are done. In plain letters. */
import { isOnlyEmoji, wordsOf } from "./plain-words.ts";

/** A message of these alone is a thanks or a goodbye: nobody who asks for something writes only this. */
const closings = [
  // pt
  "obrigado|obrigada|obrigados|obrigadas|obg|obgd|obgda|obgdo|obrigadinho|obrigadinha|brigado|brigada|brigadao",
  "muito obrigado|muito obrigada|mt obrigado|mt obrigada|mto obrigado|mto obrigada|muitissimo obrigado",
  "muitissimo obrigada|nao obrigado|nao obrigada|valeu|vlw|vlws|agradeco|agradecido|agradecida|agradecemos",
  "grato|grata|muito grato|muito grata|gratidao|de nada|por nada|imagina|disponha|ok|okay|oks|blz|beleza|perfeito",
  "show|show de bola|top|maravilha|otimo|otima|excelente|joia|certo|combinado|fechado|entendi|entendido|tranquilo",
  "ta bom|esta bom|ta certo|ta otimo|tudo certo|legal|ate mais|ate logo|ate breve|ate a proxima",
  "ate amanha|tchau|tchauzinho|xau|falou|flw|tmj|de boa|abraco|um abraco|abracos|abs|bjs|beijos|um beijo",
  "eu que agradeco|nos que agradecemos|so isso|so isso mesmo|e so isso|era so isso|por enquanto e so|isso mesmo|parabens",
  "deus abencoe|deus te abencoe|otimo atendimento|excelente atendimento|otimo dia|otima tarde|otima noite",
  // en
  "thanks|thank you|thank u|thankyou|thx|tnx|ty|tysm|tks|cheers|many thanks|thanks a lot|thank you so much",
  "thank you very much|thanks so much|no thanks|no thank you|appreciated|appreciate it|i appreciate it|great|perfect",
  "awesome|got it|you are welcome|you re welcome|bye|goodbye|bye bye|see you|see you later|have a nice day",
  "have a good day|have a great day",
  // es
  "gracias|muchas gracias|mil gracias|muchisimas gracias|vale|vale gracias|no gracias|agradezco|te agradezco",
  "se lo agradezco|agradecidos|perfecto|genial|listo|entendido|de acuerdo|hasta luego|hasta pronto|hasta manana",
  "chau|chao|adios|saludos|un abrazo",
];

/** Stands beside a closing and asks for nothing; alone it is no goodbye ("bom dia" greets). */
const fillers = [
  // pt
  "pela ajuda|pelo atendimento|pela atencao|pelo retorno|pela resposta|pela informacao|pelas informacoes|por tudo",
  "pela paciencia|pela forca|pelo apoio|pelo carinho|mesmo|mesma|demais|viu|gente|moca|moco|amigo|amiga|pessoal|querida",
  "querido|a todos|a voce|a voces|voce|voces|vc|vcs|tambem|tbm|tb|entao|pra voce|para voce|pra voces|para voces|pra vc",
  "igualmente|bom dia|boa tarde|boa noite|bom fim de semana|bom final de semana|bom trabalho|tenha um bom dia",
  "tenha uma boa tarde|tenha uma boa noite|um otimo dia|um bom dia|uma boa tarde|uma boa noite|fica com deus",
  "fique com deus|amem|ah|ah ta|sim|e|tenha um otimo dia|tenha uma otima tarde|tenha uma otima noite",
  "pelo otimo atendimento|pelo excelente atendimento",
  // en
  "for your help|for the help|for your time|for everything|for your support|so much|very much|a lot|guys|everyone",
  "you too|too|and|all|again|have a nice weekend|have a good one",
  // es
  "por la ayuda|por su ayuda|por tu ayuda|por la atencion|por su atencion|por todo|por la informacion|buen dia",
  "buenos dias|buenas tardes|buenas noches|que tenga buen dia|que tengas buen dia|que tenga un buen dia|que tengas un buen dia|tambien|igual|si|y|ustedes|a ustedes",
];

/** Stands before or after an answer. */
const requests = [
  "por favor|pf|pfv|pfvr|por gentileza|favor|oi|ola|opa|oie|bom dia|boa tarde|boa noite|alo",
  "please|pls|plz|hi|hello|hey|good morning|good afternoon|good evening",
  "porfa|porfavor|hola|buenos dias|buenas tardes|buenas noches|buenas",
];

const closingPhrases = phrases(closings);
const courtesyPhrases = phrases([...closings, ...fillers]);
const greetingPhrases = phrases([...closings, ...requests]);
const allPhrases = phrases([...closings, ...fillers, ...requests]);
/** Tells at once that no phrase begins at a word. */
const firstWords: ReadonlySet<string> = new Set([...allPhrases].map((phrase) => phrase.replace(/ .*$/u, "")));
/** The words of the longest phrase above. */
const longestPhrase = Math.max(...[...allPhrases].map((phrase) => phrase.split(" ").length));

/** Longer messages than this say more than thanks. */
const maxThanksWords = 8;
/** No short answer is this long; keeps the search for courtesies at its end cheap. */
const maxAnswerWords = 40;

/**
 * A bare thanks, goodbye or emoji, which needs no answer and leaves a closed ticket closed (behaviour 5, rule 2). Strict:
 * one word that is not in the lists, or a question mark, may be a question.
 */
export function isThanks(text: string): boolean {
  if (isOnlyEmoji(text)) {
    return true;
  }
  const words = wordsOf(text);
  if (text.includes("?") || text.includes("？") || words.length === 0 || words.length > maxThanksWords) {
    return false;
  }
  const parts = split(words, courtesyPhrases);
  return parts !== undefined && parts.some((part) => closingPhrases.has(part));
}

/** True for "oi", "bom dia!", "obrigada 🙏" and emoji alone: a text that asks for nothing. */
export function isCourtesyText(text: string): boolean {
  return isCourtesy(wordsOf(text));
}

/** True if the words are only thanks, greetings, "please" and the like; also for no words. */
export function isCourtesy(words: readonly string[]): boolean {
  return words.length <= maxAnswerWords && split(words, allPhrases) !== undefined;
}

/** The words of an answer without the courtesies after and before it: `oi, vendas por favor` is `vendas`. Never empties it. */
export function withoutCourtesy(words: readonly string[]): readonly string[] {
  if (words.length > maxAnswerWords) {
    return words;
  }
  const end = words.findIndex((_, index) => index > 0 && isCourtesy(words.slice(index)));
  return withoutGreetingWords(end === -1 ? words : words.slice(0, end));
}

/** The words without the courtesies before them: `oi, vendas por favor` is `vendas por favor`. Never empties it. */
export function withoutGreetingWords(words: readonly string[]): readonly string[] {
  let start = 0;
  let greeting = phraseAt(words, start, greetingPhrases);
  while (greeting !== undefined) {
    start += wordCount(greeting);
    greeting = phraseAt(words, start, greetingPhrases);
  }
  return start < words.length ? words.slice(start) : words;
}

const leading = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}]*(?:${[...greetingPhrases].toSorted((one, other) => other.length - one.length).join("|")})(?![\p{L}\p{N}]))+[\s,.!;:]*`,
  "u",
);

/** A plain text without the greeting before the answer: `bom dia! *1*` is `*1*`. Marks stay, for those who read them. */
export function withoutGreeting(plain: string): string {
  return plain.replace(leading, "");
}

function phrases(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split("|")));
}

/** Splits the words into known phrases, the longest first; undefined if a word belongs to none. */
function split(words: readonly string[], known: ReadonlySet<string>): string[] | undefined {
  const parts: string[] = [];
  let index = 0;
  while (index < words.length) {
    const phrase = phraseAt(words, index, known);
    if (phrase === undefined) {
      return undefined;
    }
    parts.push(phrase);
    index += wordCount(phrase);
  }
  return parts;
}

/** The longest known phrase that begins at a word; laughter counts as "e", a word without meaning. */
function phraseAt(words: readonly string[], index: number, known: ReadonlySet<string>): string | undefined {
  const word = words[index];
  if (word === undefined) {
    return undefined;
  }
  if (!firstWords.has(word) && !firstWords.has(unstretched(word))) {
    return laughter.test(word) ? "e" : undefined;
  }
  for (let count = Math.min(longestPhrase, words.length - index); count > 0; count -= 1) {
    const part = words.slice(index, index + count);
    const found = [part.join(" "), part.map(unstretched).join(" ")].find((phrase) => known.has(phrase));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

const laughter = /^(?:k{2,}|(?:rs)+|(?:ha){2,}h?|(?:he){2,}|(?:ja){2,})$/u;

/** `obrigadaaa` is `obrigada`, `okkk` is `ok`. */
function unstretched(word: string): string {
  return word.replace(/(\p{L})\1+$/u, "$1");
}

function wordCount(phrase: string): number {
  return phrase.split(" ").length;
}
