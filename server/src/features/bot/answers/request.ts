/** How people ask for somebody or something: a small grammar of whole sentences, in plain letters. */

// The longer form first: all parts are optional, so that nothing makes the pattern try the longer one again.
const wishes =
  "(?:eu )?(?:quero|queria|gostaria de|preciso de|preciso|posso|poderia|desejo|prefiro)|" +
  "(?:can i|could i|may i|(?:i )?(?:want to|want|need to|need|would like to|would like|d like to|d like))|" +
  "(?:yo )?(?:quiero|quisiera|necesito|puedo|deseo|prefiero|me gustaria)";
const talks =
  "(?:falar|conversar|fala)(?: com)?|chamar|chama|ser atendid[oa] por|" +
  "(?:me )?(?:transferir|transfere|transfira|passar|passa) (?:para|pra|pro)|" +
  "(?:talk|speak|chat) (?:to|with)|" +
  "(?:hablar|conversar|comunicarme)(?: con)?|llamar";
const articles = "um|uma|o|a|do|da|no|na|com o|com a|algum|alguma|an|the|un|una|el|la|algun|alguna";
const departments = "(?:setor|departamento|area|equipe|time|sector|department|team|equipo)(?: de| do| da| del)?";
const request = new RegExp(`^(?:(?:${wishes}) )?(?:(?:${talks}) )?(?:(?:${articles}) )?(?:${departments} )?(?=.)`, "u");

const wish = new RegExp(`^(?:${wishes}) .`, "u");

/** True for words that begin to ask for something: `quero cancelar`. */
export function isWish(words: readonly string[]): boolean {
  return wish.test(words.join(" "));
}

/** What is asked for: `quero falar com o financeiro` gives `financeiro`. Words that ask in no known way stay all. */
export function withoutRequest(words: readonly string[]): readonly string[] {
  const text = words.join(" ");
  const rest = text.replace(request, "");
  return rest === text ? words : rest.split(" ");
}
