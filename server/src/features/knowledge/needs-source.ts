/** Words that a person says to be polite, and those of questions themselves. Folded. */
const smallTalk = new Set(
  `oi ola opa alo bom boa dia tarde noite tudo bem bao beleza blz como vai esta voce voces vcs estao obrigado obrigada valeu ok sim nao
  certo legal entendi tchau ate logo por favor hello hello thanks good morning how are you hola buenos buenas dias tardes noches gracias
  qual quais quanto quanta quantos quantas quando onde quem que porque com sem para pra pro dos das uma uns umas tem ter voces minha meu
  alguem atendente pessoa humano falar fala aqui isso esse essa este isto sobre ainda mais muito pode posso podem poderia gostaria quero
  queria saber dizer ajudar ajuda gente`.split(/\s+/u),
);

/** Marks of a question, also where the sign is left out. Folded. */
const asks =
  /\?|\b(qual|quais|quant[oa]s?|quando|onde|quem|cade|por que|o que|sera que|voces|vcs|tem|posso|pode|podem|aceitam?|fazem?|vendem?|what|when|where|which|who|how|can|do you|cual|cuanto|cuando|donde|quien)\b/u;

/**
 * Whether a text asks for something that only the company's texts can tell: a question with words of its own, none of which is in the
 * instructions of the prompt. For such a question without a passage no model is asked. Pure.
 */
export function needsSource(question: string, instructions: string): boolean {
  const asked = folded(question);
  const known = folded(instructions);
  const words = (asked.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !smallTalk.has(word));
  return words.length > 0 && asks.test(asked) && !words.some((word) => known.includes(word.slice(0, 5)));
}

function folded(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** A question of so many letters is whole by itself. */
const enough = 30;

/**
 * The words by which passages are found for what a customer said, the newest last: a short text with those before it ("e no
 * sábado?"). Pure.
 */
export function questionOf(said: readonly string[]): string {
  const question: string[] = [];
  for (const text of said.toReversed().slice(0, 4)) {
    question.unshift(text.trim());
    if (question.join(" ").length >= enough) {
      break;
    }
  }
  return question.join("\n").trim();
}

/** Politeness, which many passages have too: quick replies above all. Folded. */
const politeness =
  /\b(tudo bem|bom dia|boa (tarde|noite)|por favor|posso|podemos|consigo|preciso|gostaria|ajud(ar?|em)|estou|estava|me|meus?|minhas?)\b/gu;

/**
 * The words of a question that passages are looked for by: folded, without politeness, and with the nouns of verbs like devolver
 * (devolução), whose stems differ. Pure.
 */
export function searchedWords(question: string): string {
  return folded(question)
    .replaceAll(politeness, " ")
    .replaceAll(/\b(\p{L}*ol)v(er|i|o|e|eu|emos|ido|ida)\b/gu, "$& $1ucao");
}
