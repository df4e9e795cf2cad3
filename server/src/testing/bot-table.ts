import type { Content } from "@prosa/wa-sim";

/**
 * Expected conversations with the bot, written by hand from the specification: every text as the contact's phone shows
 * it. Nothing here is computed by the product.
 */
export const lineNumbers = {
  /** Three queues, Financeiro is closed all week; unlimited menus; asks for a rating. */
  shop: "5511990000001",
  /** One queue, without options. */
  clinic: "5511990000002",
  /** Two queues; a wrong answer gets the menu again twice at each place, then the ticket waits for an agent. */
  garage: "5511990000003",
  /** One queue, closed all week. */
  bank: "5511990000004",
  /** Two queues; a menu is not repeated within the hour. */
  school: "5511990000005",
  /** Two queues; Entregas opens tomorrow at 08:00 and has no out-of-hours message. */
  bakery: "5511990000006",
  /** One queue, with options. */
  pharmacy: "5511990000007",
} as const;

/**
 * A message of the contact, several within a second, or an action of the agent; `receives`: what the contact's phone then
 * receives, in order.
 */
export type Turn =
  | {
      readonly sends: Content | readonly Content[];
      /** The contact takes longer than the 5 s in which nobody has read a menu: what is no choice counts then. */
      readonly afterReading?: true;
      readonly receives?: readonly string[];
    }
  | { readonly sendsToGroup: string }
  | { readonly agent: "accepts" | "resolves"; readonly receives?: readonly string[] };

export interface Conversation {
  readonly about: string;
  readonly line: keyof typeof lineNumbers;
  readonly turns: readonly Turn[];
  /** State of the ticket after the last turn. */
  readonly ends: {
    readonly status: "pending" | "open" | "closed";
    readonly queue: string | null;
    /** The bot handles the next message. */
    readonly chatbot: boolean;
    readonly rating: number | null;
  };
}

const stop = "*[ sair ]* - Falar com um atendente";
const ways = `*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial\n${stop}`;
const shopMenu = `Bem-vindo à Loja\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n*[ 3 ]* - Financeiro\n\n${stop}`;
const sales = `Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Catálogo\n*[ 3 ]* - Prazos\n\n${ways}`;
const prices = `Sobre os preços\n\n*[ 1 ]* - Mensal\n*[ 2 ]* - Anual\n\n${ways}`;
const support = "Olá do Suporte";
const closed = "O Financeiro está fechado";
const closedFor = "Estamos fechados agora. Pode escrever: a sua mensagem fica guardada.";
const closedUntil = "Estamos fechados agora. Abrimos amanhã às 08:00. Pode escrever: a sua mensagem fica guardada.";
const garageMenu = `Bem-vindo à Oficina\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
const schoolMenu = `Bem-vindo à Escola\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
const bakeryMenu = `Bem-vindo à Padaria\n\n*[ 1 ]* - Suporte\n*[ 2 ]* - Entregas\n\n${stop}`;
const pharmacyMenu = `Olá do Balcão\n\n*[ 1 ]* - Remédios\n*[ 2 ]* - Entrega\n\n${stop}`;
const howWasIt = "De 1 a 3, como foi?";
const farewell = "Obrigado, até logo";
const personComes = "Certo! Aguarde um momento, um atendente vai falar com você.";
const sendNumber = "Recebi e guardei para o atendente. Para continuar, envie o *número* de uma das opções do menu.";
/** The answer to a wrong answer. */
const again = (menu: string) => `Desculpe, não entendi. Responda com o número de uma das opções:\n\n${menu}`;

const inMenu = { status: "pending", chatbot: true, rating: null } as const;
const waiting = { status: "pending", chatbot: false, rating: null } as const;
const rated = (rating: 1 | 2 | 3) => ({ status: "closed", queue: "Suporte", chatbot: false, rating }) as const;

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = { image: pixel };
const captioned = (caption: string) => ({ image: pixel, caption });
const sticker = { sticker: pixel };
const voice = { audio: Buffer.from("OggS"), ptt: true, seconds: 2 };
const place = { location: { latitude: -23.55, longitude: -46.63 } };

/** Chooses the support at the shop, is served and asked for a rating. */
const served: readonly Turn[] = [
  { sends: "oi", receives: [shopMenu] },
  { sends: "2", receives: [support] },
  { agent: "accepts" },
  { agent: "resolves", receives: [howWasIt] },
];

export const conversations: readonly Conversation[] = [
  {
    about: "one queue: straight in, with the greeting, in one message (Q-03)",
    line: "clinic",
    turns: [
      { sends: "oi", receives: ["Bem-vindo à Clínica\n\nAqui é a Recepção"] },
      { sends: "quero marcar" },
      { sends: "1" },
    ],
    ends: { ...waiting, queue: "Recepção" },
  },
  {
    about: "one queue with options: greeting, queue and menu are one message (Q-03, B-01)",
    line: "pharmacy",
    turns: [
      { sends: ["oi", "tem dipirona?"], receives: [`Bem-vindo à Farmácia\n\n${pharmacyMenu}`] },
      { sends: "remedios", receives: ["Qual remédio?"] },
    ],
    ends: { ...waiting, queue: "Balcão" },
  },
  {
    about: "one queue: the way back leads to its menu, without the connection's greeting (Q-04, B-03)",
    line: "pharmacy",
    turns: [
      { sends: "oi", receives: [`Bem-vindo à Farmácia\n\n${pharmacyMenu}`] },
      { sends: "2", receives: ["Entregamos em uma hora"] },
      { sends: "#", receives: [pharmacyMenu] },
    ],
    ends: { ...inMenu, queue: "Balcão" },
  },
  {
    about: "several queues: chosen by its number (Q-03)",
    line: "shop",
    turns: [{ sends: "olá", receives: [shopMenu] }, { sends: " 2 ", receives: [support] }, { sends: "não liga" }],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "four texts within a second get one menu, and the number after them is answered (B-01)",
    line: "shop",
    turns: [
      { sends: ["oi", "bom dia", "tudo bem?", "queria saber de um sofá"], receives: [shopMenu] },
      { sends: "1", receives: [sales] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "a burst of wrong answers is one wrong answer (B-01, B-03)",
    line: "garage",
    turns: [
      { sends: ["oi", "bom dia"], receives: [garageMenu] },
      { sends: ["quero falar", "alguém?", "é urgente"], afterReading: true, receives: [again(garageMenu)] },
      { sends: ["oi??", "por favor"], afterReading: true, receives: [again(garageMenu)] },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "an album gets one menu (B-01)",
    line: "shop",
    turns: [
      { sends: [picture, picture, picture, picture, picture], receives: [shopMenu] },
      { sends: "1", receives: [sales] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "media at a menu are asked for a number, once an episode; a choice still counts (B-01, B-03)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { sends: [picture, picture, voice], afterReading: true, receives: [sendNumber] },
      { sends: sticker, afterReading: true },
      { sends: voice, afterReading: true },
      { sends: "1", receives: [sales] },
      { sends: place, afterReading: true },
      { sends: "3", receives: ["Em dois dias úteis"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "a caption is read like a text; another one is no wrong answer (B-02)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: captioned("este aqui"), afterReading: true, receives: [sendNumber] },
      { sends: captioned("1"), receives: [sales] },
      { sends: captioned("Prazos"), receives: ["Em dois dias úteis"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "numbers in any dress (B-02)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "*1*", receives: [sales] },
      { sends: "opção 1", receives: [prices] },
      { sends: "0", receives: [sales] },
      { sends: "um", receives: [prices] },
      { sends: "#", receives: [shopMenu] },
      { sends: "1️⃣", receives: [sales] },
      { sends: "[1]", receives: [prices] },
      { sends: "1.", receives: ["São R$ 10 por mês"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "titles without case and accents, and their beginnings (B-02)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "vendas", receives: [sales] },
      { sends: "PRECO", receives: [prices] },
      { sends: "0", receives: [sales] },
      { sends: "precos", receives: [prices] },
      { sends: "#", receives: [shopMenu] },
      { sends: "Suporte, por favor", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "a beginning of three letters, and what is in no menu, choose nothing (B-02)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { sends: "ven", afterReading: true, receives: [again(garageMenu)] },
      { sends: "9", afterReading: true, receives: [again(garageMenu)] },
      { sends: "vend", receives: [sales] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "down two levels to a leaf, which hands over; then words are for the person, and 0 leads back (Q-04, B-03)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "1", receives: [prices] },
      { sends: "2", receives: ["São R$ 100 por ano"] },
      { sends: "2" },
      { sends: "quero esse", afterReading: true },
      { sends: "0", receives: [prices] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "the ways stay open after a leaf (B-03)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "3", receives: ["Em dois dias úteis"] },
      { sends: "0", receives: [sales] },
      { sends: "3", receives: ["Em dois dias úteis"] },
      { sends: "#", receives: [shopMenu] },
      { sends: "2", receives: [support] },
      { sends: "atendente", receives: [personComes] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "the ways close when a person accepts (Q-04, B-03)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "2", receives: [support] },
      { agent: "accepts" },
      { sends: "#" },
      { sends: "0" },
      { sends: "sair" },
    ],
    ends: { status: "open", queue: "Suporte", chatbot: false, rating: null },
  },
  {
    about: "0 leads back, a level at a time, out of the queue (Q-04)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "1", receives: [prices] },
      { sends: "0", receives: [sales] },
      { sends: "0", receives: [shopMenu] },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "# leads to the beginning from the depth (Q-04)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "1", receives: [prices] },
      { sends: "#", receives: [shopMenu] },
    ],
    ends: { ...inMenu, queue: null },
  },
  {
    about: "wrong answers get the menu up to maxUseBotQueues, then it is said that a person comes (Q-05, B-03)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { sends: "quero falar", afterReading: true, receives: [again(garageMenu)] },
      { sends: "alguém?", afterReading: true, receives: [again(garageMenu)] },
      { sends: "não entendo", afterReading: true, receives: [personComes] },
      { sends: "1" },
      { sends: "#", receives: [garageMenu] },
    ],
    ends: { ...inMenu, queue: null },
  },
  {
    about: "each place counts its own wrong answers (Q-05, B-03)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { sends: "quero falar", afterReading: true, receives: [again(garageMenu)] },
      { sends: "alguém?", afterReading: true, receives: [again(garageMenu)] },
      { sends: "1", receives: [sales] },
      { sends: "9", afterReading: true, receives: [again(sales)] },
      { sends: "não sei", afterReading: true, receives: [again(sales)] },
      { sends: "hã?", afterReading: true, receives: [personComes] },
      { sends: "alô" },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "wrong answers among the options, where menus have no limit (Q-05)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "9", afterReading: true, receives: [again(shopMenu)] },
      { sends: "1", receives: [sales] },
      { sends: "9", afterReading: true, receives: [again(sales)] },
      { sends: "não sei", afterReading: true, receives: [again(sales)] },
      { sends: "vendas", afterReading: true, receives: [again(sales)] },
      { sends: "e agora?", afterReading: true, receives: [again(sales)] },
      { sends: "3", receives: ["Em dois dias úteis"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "a menu is not repeated within timeUseBotQueues, and a right answer still counts (Q-05)",
    line: "school",
    turns: [
      { sends: "oi", receives: [schoolMenu] },
      { sends: "quero falar", afterReading: true },
      { sends: "9", afterReading: true },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "out of hours is said once, and the words are kept (Q-06)",
    line: "bank",
    turns: [{ sends: "oi", receives: [closed] }, { sends: "tem alguém?" }, { sends: "amanhã então" }],
    ends: { ...waiting, queue: "Financeiro" },
  },
  {
    about: "sair while closed is answered, once, and promises nobody (Q-06, B-03)",
    line: "bank",
    turns: [
      { sends: ["oi", "bom dia"], receives: [closed] },
      { sends: "sair", receives: [closedFor] },
      { sends: "atendente" },
      { sends: "alguém?", afterReading: true },
    ],
    ends: { ...waiting, queue: "Financeiro" },
  },
  {
    about: "atendente as the first word, while the only queue is closed, promises nobody (Q-06, B-03)",
    line: "bank",
    turns: [
      { sends: "atendente", receives: [closedFor] },
      { sends: "alguém?", afterReading: true },
    ],
    ends: { ...waiting, queue: null },
  },
  {
    about: "a chosen queue that is closed says so at each choice; # leads to one that is open (Q-04, Q-06, B-03)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "3", receives: [closed] },
      { sends: "#", receives: [shopMenu] },
      { sends: "3", receives: [closedFor] },
      { sends: "#", receives: [shopMenu] },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "a closed queue without a text says when it opens (Q-06, B-03)",
    line: "bakery",
    turns: [
      { sends: "oi", receives: [bakeryMenu] },
      { sends: "entregas", receives: [closedUntil] },
      { sends: "obrigada" },
      { sends: "salir", afterReading: true, receives: [closedUntil] },
    ],
    ends: { ...waiting, queue: "Entregas" },
  },
  {
    about: "a leaf with a file (Q-04)",
    line: "shop",
    turns: [
      { sends: "bom dia", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "2", receives: ["catalogo.csv: Nosso catálogo"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "a word in a group is not heard, the same person's own chat is (G-02)",
    line: "shop",
    turns: [{ sendsToGroup: "oi, pessoal" }, { sends: "oi", receives: [shopMenu] }, { sendsToGroup: "1" }],
    ends: { ...inMenu, queue: null },
  },
  {
    about: "a picture and a place choose nothing: they are kept, and a number is asked for once (Q-05, B-01)",
    line: "shop",
    turns: [
      { sends: picture, receives: [shopMenu] },
      { sends: place, afterReading: true, receives: [sendNumber] },
      { sends: "1", receives: [sales] },
      { sends: picture, afterReading: true },
      { sends: "hã?", afterReading: true, receives: [again(sales)] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "a rating is thanked for, and the ticket stays closed (Q-09)",
    line: "shop",
    turns: [...served, { sends: "3", receives: [farewell] }],
    ends: rated(3),
  },
  {
    about: "thanks before and after a rating leave the ticket closed (Q-09, B-02)",
    line: "shop",
    turns: [
      ...served,
      { sends: ["obrigada!", "🙏"] },
      { sends: "*2*", receives: [farewell] },
      { sends: "obrigado" },
      { sends: [sticker, "valeu 👍"] },
    ],
    ends: rated(2),
  },
  {
    about: "a rating in words (Q-09, B-02)",
    line: "shop",
    turns: [...served, { sends: "nota 3", receives: [farewell] }],
    ends: rated(3),
  },
  {
    about: "a rating with a judgement, and thanks in the same burst (Q-09, B-02)",
    line: "shop",
    turns: [...served, { sends: ["3 - muito bom", "obrigada!"], receives: [farewell] }],
    ends: rated(3),
  },
  {
    about: "a rating as a numeral, thanks in English (Q-09, B-02)",
    line: "shop",
    turns: [...served, { sends: "thank you!" }, { sends: "três", receives: [farewell] }, { sends: "muchas gracias" }],
    ends: rated(3),
  },
  {
    about: "a rating with a mark (Q-09, B-02)",
    line: "shop",
    turns: [...served, { sends: "1.", receives: [farewell] }],
    ends: rated(1),
  },
  {
    about: "a rating where nothing was chosen from the menu (Q-09)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { agent: "accepts" },
      { agent: "resolves", receives: ["Sua nota para a Oficina?"] },
      { sends: " 2 ", receives: ["A Oficina agradece"] },
    ],
    ends: { status: "closed", queue: null, chatbot: false, rating: 2 },
  },
  {
    about: "the word after a rating begins anew (Q-09)",
    line: "shop",
    turns: [...served, { sends: "1", receives: [farewell] }, { sends: "2", receives: [shopMenu] }],
    ends: { ...inMenu, queue: null, rating: 1 },
  },
  {
    about: "anything but 1 to 3 is no rating and begins anew (Q-09)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { agent: "accepts" },
      { agent: "resolves", receives: [howWasIt] },
      { sends: "nota 4", receives: [shopMenu] },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "whom a person serves, the bot does not answer (Q-04)",
    line: "shop",
    turns: [{ sends: "oi", receives: [shopMenu] }, { agent: "accepts" }, { sends: "1" }, { sends: "#" }],
    ends: { status: "open", queue: null, chatbot: false, rating: null },
  },
  {
    about: "sair waits for a person; # leads back (Q-04, B-03)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "Sair", receives: [personComes] },
      { sends: "sair" },
      { sends: "1" },
      { sends: "#", receives: [shopMenu] },
    ],
    ends: { ...inMenu, queue: null },
  },
  ...(["exit", "agent", "salir", "agente", "humano", "quero falar com uma pessoa"] as const).map(
    (word): Conversation => ({
      about: `${word} waits for a person (B-02, B-03)`,
      line: "shop",
      turns: [
        { sends: "oi", receives: [shopMenu] },
        { sends: word, receives: [personComes] },
        { sends: "estou esperando", afterReading: true },
      ],
      ends: { ...waiting, queue: null },
    }),
  ),
  {
    about: "another machine, which says the same three times, is not answered for ever (Q-05, B-03)",
    line: "shop",
    turns: [
      { sends: "Sou um robô", receives: [shopMenu] },
      { sends: "Sou um robô", afterReading: true, receives: [again(shopMenu)] },
      { sends: "Sou um robô", afterReading: true, receives: [personComes] },
      { sends: "Sou um robô" },
    ],
    ends: { ...waiting, queue: null },
  },
];
