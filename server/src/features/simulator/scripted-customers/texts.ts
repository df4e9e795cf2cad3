import { botCommands, stopWord } from "@prosa/contract";
import { pick } from "./behaviour.ts";
import type { Random } from "./behaviour.ts";

/** A message of a scripted customer: Brazilian Portuguese, as customers of a shop write. */
export type ScriptedMessage =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "photo"; readonly photo: "box" | "receipt" | "label"; readonly caption: string }
  | { readonly kind: "voice"; readonly voice: "asks" | "thanks" };

const names = [
  "Mariana Alves",
  "João Pedro Lima",
  "Camila Ferreira",
  "Rafael Costa",
  "Beatriz Rocha",
  "Lucas Martins",
  "Aline Barbosa",
  "Thiago Ribeiro",
  "Juliana Mendes",
  "Bruno Carvalho",
  "Patrícia Nunes",
  "Felipe Araújo",
  "Letícia Gomes",
  "Gustavo Pereira",
  "Fernanda Dias",
  "André Teixeira",
  "Sabrina Lopes",
  "Rodrigo Moreira",
  "Vanessa Cardoso",
  "Diego Santana",
];

const openings: readonly string[] = [
  "Oi, boa tarde! Vocês entregam aos sábados?",
  "Olá! Meu pedido ainda não chegou, conseguem ver para mim?",
  "Bom dia, qual o valor do frete para o interior?",
  "Oi! Vi o anúncio de vocês. Ainda tem em estoque?",
  "Boa tarde, preciso trocar um produto que veio com defeito 😕",
  "Olá, vocês fazem orçamento por aqui?",
  "Oi, tudo bem? Quais são as formas de pagamento?",
  "Bom dia! A loja abre que horas hoje?",
  "Oi, queria falar sobre a segunda via do boleto.",
  "Olá! Tem como mudar o endereço de entrega do meu pedido?",
  "Oi, vocês têm esse modelo na cor azul?",
  "Boa noite, o prazo de entrega está certo? No site aparece outra data.",
];

interface Topic {
  readonly about: RegExp;
  readonly answers: readonly string[];
}

/** Replies by topic: the first whose pattern matches the user's message; the last one matches everything. */
const topics: readonly Topic[] = [
  {
    about: /obrigad|disponha|por nada/i,
    answers: ["Imagina, eu que agradeço! 😊", "Valeu!", "Ótimo atendimento, obrigada 👏"],
  },
  { about: /foto|imagem|print/i, answers: ["Já te mando", "Segue"] },
  {
    about: /endere[cç]o|cep|rua/i,
    answers: ["Rua das Palmeiras, 128, apto 42", "O CEP é 01310-100", "É o mesmo do cadastro"],
  },
  {
    about: /nome|cpf|e-?mail|cadastro/i,
    answers: ["Está no meu nome mesmo", "O e-mail é o mesmo da compra", "Só um minuto que vou conferir"],
  },
  {
    about: /pedido|n[uú]mero|protocolo/i,
    answers: ["O pedido é o 48213", "É o número que veio no e-mail, 48213", "Deixa eu procurar aqui"],
  },
  {
    about: /r\$|valor|pre[cç]o|frete|desconto|pix|cart[aã]o|boleto/i,
    answers: ["Tem desconto no Pix?", "Certo, vou fechar então", "Dá para parcelar em 3x?"],
  },
  {
    about: /prazo|entrega|chega|dias|amanh[aã]/i,
    answers: ["Perfeito, consigo esperar", "Poxa, não dá para chegar antes?", "Combinado 👍"],
  },
  {
    about: /ol[aá]|oi\b|bom dia|boa tarde|boa noite|atend/i,
    answers: ["Oi! Tudo bem?", "Oi, obrigada por responder rápido!", "Olá! Então, é sobre a minha compra"],
  },
  {
    about: /\?/,
    answers: ["Sim, isso mesmo", "Acho que não, pode verificar?", "Pode ser sim", "Hoje à tarde para mim é melhor"],
  },
  {
    about: /(?:)/,
    answers: ["Certo, entendi", "Ok, fico no aguardo", "Perfeito 🙏", "Show, muito obrigado!", "Ah, que bom!"],
  },
];

/** What the bot and the notices say, and how customers go on: they never upset the bot by words that are no choice. */
const automatic: readonly Topic[] = [
  { about: /envie o \*n[uú]mero\*/i, answers: ["1", "2"] },
  { about: /^\*1\* - |de 1 a 3/im, answers: ["3", "*3*", "nota 3", "2", "3, muito bom!"] },
  { about: /abrimos|fechad[oa]|expediente|fica guardada/i, answers: ["Ok, obrigada!", "Certo, fico no aguardo"] },
  {
    about: /encerrad|obrigad[oa] pelo contato|at[eé] logo/i,
    answers: ["Obrigada! 🙏", "Valeu!", "Eu que agradeço 😊"],
  },
  { about: /aguarde um momento/i, answers: ["Ok, fico no aguardo", "Certo, obrigada!", "Tá bom 👍"] },
];

/** The ways out of a menu, which are no answers to it. */
const waysOut: ReadonlySet<string> = new Set([...Object.values(botCommands), ...Object.values(stopWord)]);

const photos = [
  { kind: "photo", photo: "box", caption: "Chegou assim 😕" },
  { kind: "photo", photo: "receipt", caption: "Segue o comprovante" },
  { kind: "photo", photo: "label", caption: "É esse aqui, olha" },
] as const;

/** A name that is not taken; undefined if all are. */
export function unusedName(taken: readonly string[], random: Random): string | undefined {
  return pick(
    names.filter((name) => !taken.includes(name)),
    random,
  );
}

export function openingMessage(random: Random): ScriptedMessage {
  if (random() < 0.08) {
    return { kind: "voice", voice: "asks" };
  }
  return { kind: "text", text: pick(openings, random) ?? "Oi!" };
}

/** A short reply that fits the message: a choice from the bot's menu, words, a photo if it asks for one. */
export function replyTo(text: string, random: Random): ScriptedMessage {
  const choice = chooseFrom(text, random);
  const reply = choice ?? pick(automatic.find(({ about }) => about.test(text))?.answers ?? [], random);
  return reply === undefined ? replyToUser(text, random) : { kind: "text", text: reply };
}

/** The number or, now and then, the title of a line of the menu; undefined if the text is no menu. */
function chooseFrom(text: string, random: Random): string | undefined {
  const lines = [...text.matchAll(/^\*\[ (?<option>.+?) \]\* - (?<title>.+)$/gmu)].map(({ groups }) => groups ?? {});
  const line = pick(
    lines.filter(({ option = "" }) => !waysOut.has(option)),
    random,
  );
  return random() < 0.8 ? line?.["option"] : line?.["title"];
}

function replyToUser(text: string, random: Random): ScriptedMessage {
  const isAskedForPhoto = /foto|imagem|print/i.test(text);
  if (isAskedForPhoto || random() < 0.06) {
    return pick(photos, random) ?? photos[0];
  }
  if (random() < 0.06) {
    return { kind: "voice", voice: "thanks" };
  }
  const topic = topics.find(({ about }) => about.test(text));
  return { kind: "text", text: pick(topic?.answers ?? [], random) ?? "Ok!" };
}
