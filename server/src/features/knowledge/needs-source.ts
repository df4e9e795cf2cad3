import { truncateText } from "#server/platform/truncate-text.ts";

/** Words that a person says to be polite, and those of questions themselves, in each language of customers. Folded. */
const smallTalk = new Set(
  [
    `oi ola opa alo bom boa dia tarde noite tudo bem bao beleza blz como vai esta voce voces vcs estao obrigado obrigada valeu ok sim nao
    certo legal entendi tchau ate logo por favor qual quais quanto quanta quantos quantas quando onde quem que porque com sem para pra pro
    dos das uma uns umas tem ter minha meu alguem atendente pessoa humano falar fala aqui isso esse essa este isto sobre ainda mais muito
    pode posso podem poderia gostaria quero queria saber dizer ajudar ajuda gente`,
    `hello hey good morning afternoon evening night how are you doing fine well great nice thank thanks much very lot okay yes not sure right
    got see bye goodbye later please sorry excuse what which when where who whom whose why does did was were will would could should can
    may might have has had the this that these those there here for from with without and but about any some somebody someone anyone agent
    person human talk speak tell ask know want need like help your yours our ours mine their his her its just also more still`,
    `hola buenos buenas dias tardes noches buen tal todo bien como estas esta estan usted ustedes gracias muchas muchos vale claro entiendo
    entendido adios hasta luego chau por favor disculpe perdon cual cuales cuanto cuanta cuantos cuantas cuando donde quien quienes que
    porque con sin para los las del una unos unas hay tiene tienen tener mi mis algun alguien agente persona humano hablar habla aqui aca
    eso ese esa este esto sobre todavia mas muy mucho puede puedo pueden podria gustaria quiero queria quisiera saber decir ayudar ayuda
    ayudarme necesito`,
  ].flatMap((words) => words.trim().split(/\s+/u)),
);

/** Marks of a question, also where the sign is left out. Folded. */
const asks = new RegExp(
  `[?¿]|\\b(${[
    "qual|quais|quant[oa]s?|quando|onde|quem|cade|por que|o que|sera que|voces|vcs|tem|posso|pode|podem|aceitam?|fazem?|vendem?",
    "what|when|where|which|who|whose|why|how|can|could|do (you|i|we)|does|did|are (you|there)|is (there|it)|have you|may i|will",
    "cual(es)?|cuant[oa]s?|cuando|donde|quien(es)?|por que|ustedes|hay|tienen?|puedo|puede[ns]?|aceptan?|hacen?|venden?|se puede",
  ].join("|")})\\b`,
  "u",
);

/**
 * Whether a text asks for something that only the company's texts can tell: a question with words of its own, none of which is in the
 * instructions of the prompt. For such a question without a passage no model is asked. Pure.
 */
export function needsSource(question: string, instructions: string): boolean {
  const asked = folded(truncateText(question, maxLetters));
  const known = folded(withoutVariables(instructions));
  const words = (asked.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !smallTalk.has(word));
  return words.length > 0 && asks.test(asked) && !words.some((word) => known.includes(word.slice(0, 5)));
}

/** A text without variables such as {{name}}, whose names say nothing, and which nobody fills in a passage. Pure. */
export function withoutVariables(text: string): string {
  return text.replaceAll(/(?<![ \t])[ \t]*\{\{\s*[\p{L}_]+\s*\}\}/gu, "");
}

function folded(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** A question of so many letters is whole by itself. */
const enough = 30;
/** What is looked at of one: nobody asks in more, and some services take no longer texts. */
const maxLetters = 2_000;

/**
 * The words by which passages are found for what a customer said, the newest last: a short text with those before it ("e no
 * sábado?"), of 2,000 letters at most. Pure.
 */
export function questionOf(said: readonly string[]): string {
  const question: string[] = [];
  for (const text of said.toReversed().slice(0, 4)) {
    // The newest is what is asked: those before it get the room that it leaves.
    const left = maxLetters - question.reduce((letters, { length }) => letters + length + 1, 0);
    question.unshift(truncateText(text.trim(), Math.max(0, left)));
    if (question.join(" ").length >= enough) {
      break;
    }
  }
  return question.join("\n").trim();
}

/** Politeness, which many passages have too: quick replies above all. Folded. */
const politeness = new RegExp(
  `\\b(${[
    "tudo bem|bom dia|boa (tarde|noite)|por favor|posso|podemos|consigo|preciso|gostaria|ajud(ar?|em)|estou|estava|me|meus?|minhas?",
    "good (morning|afternoon|evening)|please|thank(s| you)|how are you|can i|could i|i need|i would like|i want|help|hello|my",
    "buen[oa]s? (dias?|tardes?|noches?)|gracias|puedo|podemos|necesito|quisiera|gustaria|ayud(ar(me)?|a|en)|estoy|mis?",
  ].join("|")})\\b`,
  "gu",
);

/**
 * The words of a question that passages are looked for by: folded, without politeness, and with the nouns of verbs like devolver
 * (devolução), whose stems differ. Their length is limited: a customer may send one word of 64,000 letters. Pure.
 */
export function searchedWords(question: string): string {
  return folded(question)
    .replaceAll(politeness, " ")
    .replaceAll(/\b(\p{L}{0,30}ol)v(er|i|o|e|eu|emos|ido|ida)\b/gu, "$& $1ucao");
}
