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
/** What has not come: `não recebemos o pedido`, `no me llegó`, `didn't get it`. The noun of `no recebimento` is none of it. */
const absent =
  String.raw`(?:nao|nunca|jamais) (?:(?:me|nos|foi|foram) )?(?:receb\w+|cheg\w+|entreg\w+|veio|vieram)|` +
  String.raw`(?:no|nunca|jamas) (?:(?:me|nos|se|lo|la|he|ha|han|hemos) ){0,2}(?:recib\w+|lleg\w+|entreg(?:o|an|ado|aron)|vino|vinieron)|` +
  "(?:not|never|(?:did|have|has|was|were)n ?t) (?:been )?(?:get|got|gotten|receive|received|arrive|arrived|delivered)";
/** `never received better service`, `nunca chegou atrasado`: what never came, luckily. */
const boast = String.raw`(?:not|never|nunca|jamais|jamas) [^ ]+ (?:(?:[^ ]+ ){0,2}(?:better|such|so (?:good|kind|nice|fast|quick)|melhor|mejor|igual|tao|tan)|late|tarde|atrasad\w+)(?![^ ])`;
/** `falta a nota`, `items missing`, but not `nunca falta nada`, `no me falta`, `falta de atenção`, `nothing missing`. */
const missing =
  "(?<!(?:nao|no|nunca|sem|sin|nada) (?:(?:me|nos) )?(?:hace )?)(?:falta|faltam|faltan)(?! de )|" +
  "(?<!(?:nothing|no|not|never) (?:is |was )?)missing";
/** What is missing, or what somebody is to do: `ainda não chegou`, `me manda a nota`. */
const demand = new RegExp(
  String.raw`(?<![^ ])(?:cade|${missing}|ainda nao|(?!${boast})(?:${absent})|aguardo|aguardando|` +
    String.raw`me (?:liga|ligue|liguem|ligar|manda|mande|mandem|mandar|envia|envie|enviem|enviar)|cancel\w*|` +
    "still (?:no|not|waiting|missing)|(?:call|send|refund) me|(?:todavia|aun) no|llam[ae]me|mand[ae]me|envi[ae]me|" +
    "devolv(?:a|am|e)|(?:devuelv(?:a|an|e)|reembols(?:e|em|en))(?:me|nos)?)(?![^ ])",
  "u",
);
/** Words that praise what they stand behind; those of a greeting (`boa tarde`) praise nothing. */
const admiring =
  String.raw`(?:melhor(?:es)?|mejor(?:es)?|best|maxim[oa]|perfei\w+|perfec\w+|otim\w+|excelen\w+|bo[ma]|bons|boas|buen[oa]?s?|` +
  String.raw`great|good|incri\w+|increi\w+|amazing|maravil\w+|rapid\w+|fast|quick|top)(?![^ ])` +
  "(?! (?:dia|dias|tarde|tardes|noite|noites|noches|trabalho|fim|final|day|weekend|one)(?![^ ]))";
/** A thing that is named alone and not praised: `e a nota fiscal`, `meu reembolso`, but not `e o atendimento excelente`. */
const thing = new RegExp(
  "^(?:(?:mas |but |pero )?(?:(?:e|y) (?:[ao]s?|el|la|los|las|meu|minha|mi)|and (?:the|my)) |" +
    "(?:(?:o|meu|the|my|el|mi) )?(?:reembolso|estorno|refund)(?![^ ])|(?:meu|my|mi) (?:dinheiro|money|dinero)(?![^ ]))" +
    `(?!(?:.* )?${admiring})`,
  "u",
);

/** `gostaria de agradecer`: it has the form of a wish, and wishes for nothing. */
const praise = new RegExp(
  `^(?:(?:${joins}) )?(?:${wishes}) (?:agradecer|parabenizar|elogiar|felicitar|thank|congratulate|praise)(?![^ ])`,
  "u",
);

/**
 * True for words that ask a person for something, with or without a question mark: `mas quero cancelar`, `não recebi o produto`. They
 * keep what follows the request, also courtesies: `ótimo` may be one, or the praise in `e o atendimento ótimo`.
 */
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
