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

/** Before a sentence: `mas quero cancelar`. */
const joins = "mas|porem|so que|e|but|and|pero|y";
const leadingJoin = new RegExp(`^(?:${joins}) `, "u");

// `poderia ser melhor` is no wish to anybody.
const wish = new RegExp(`^(?!poderia (?:melhorar|ter sido|ser (?!atendid)))(?:${wishes}) .`, "u");
/** A question, whose mark many leave out: `quando chega o sofá`. Not `como sempre`, nor `what a great service`. */
const question = new RegExp(
  "^(?:onde|aonde|quando|qual|quais|quanto|quantos|quantas|como (?:faco|fazer|fica|ficou|posso|vai|consigo)|" +
    "where|when|which|how (?:do|can|much|many|long)|what about|" +
    "donde|cuando|cual|cuales|cuanto|cuantos|como (?:hago|queda|puedo)) .",
  "u",
);
/** What is missing, or what somebody is to do: `ainda não chegou`, `me manda a nota`. */
const demand = new RegExp(
  String.raw`(?<![^ ])(?:cade|(?<!nao |no )(?:falta|faltam|faltan)|ainda nao|nao (?:recebi|chegou|veio)|aguardo|aguardando|` +
    String.raw`me (?:liga|ligue|liguem|ligar|manda|mande|mandem|mandar|envia|envie|enviem|enviar)|cancel\w*|` +
    String.raw`(?:not|never|didn t|haven t) (?:receive|received|arrive|arrived)|still (?:no|not|waiting|missing)|missing|` +
    String.raw`(?:call|send) me|(?:todavia|aun) no|no (?:me )?(?:recibi|llego|llega)|` +
    String.raw`llam[ae]me|mand[ae]me|envi[ae]me)(?![^ ])`,
  "u",
);
/** A thing that is named after a join alone: `e a nota fiscal`. Not `é a melhor loja`, which is written alike in plain letters. */
const thing =
  /^(?:mas |but |pero )?(?:(?:e|y) (?:[ao]s?|el|la|los|las|meu|minha|mi)|and (?:the|my)) (?!melhor|mejor)./u;

/** `gostaria de agradecer`: it has the form of a wish, and wishes for nothing. */
const praise = new RegExp(
  `^(?:(?:${joins}) )?(?:${wishes}) (?:agradecer|parabenizar|elogiar|felicitar|thank|congratulate|praise)(?![^ ])`,
  "u",
);

/** True for words that ask a person for something, with or without a question mark: `mas quero cancelar`, `não recebi o produto`. */
export function isRequest(words: readonly string[]): boolean {
  const text = words.join(" ");
  const sentence = text.replace(leadingJoin, "");
  return wish.test(sentence) || question.test(sentence) || demand.test(text) || thing.test(text);
}

/** The words without a wish to thank or praise: `gostaria de parabenizar a equipe` gives `a equipe`. */
export function withoutPraise(words: readonly string[]): readonly string[] {
  const text = words.join(" ");
  const rest = text.replace(praise, "");
  return rest === text ? words : rest.split(" ").filter((word) => word !== "");
}

/** What is asked for: `quero falar com o financeiro` gives `financeiro`. Words that ask in no known way stay all. */
export function withoutRequest(words: readonly string[]): readonly string[] {
  const text = words.join(" ");
  const rest = text.replace(request, "");
  return rest === text ? words : rest.split(" ");
}
