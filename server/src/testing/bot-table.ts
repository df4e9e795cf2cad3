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
  /** Two queues; at most two menus per episode, then the ticket waits for an agent. */
  garage: "5511990000003",
  /** One queue, closed all week. */
  bank: "5511990000004",
  /** Two queues; a menu is not repeated within the hour. */
  school: "5511990000005",
} as const;

/** A message of the contact, or an action of the agent; `receives`: what the contact's phone then receives, in order. */
export type Turn =
  | {
      readonly sends: Content;
      /** Reads for this long first: what follows the answer sooner is no wrong answer. */
      readonly afterSeconds?: number;
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
const garageMenu = `Bem-vindo à Oficina\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
const schoolMenu = `Bem-vindo à Escola\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
const notUnderstood = (menu: string) => `Desculpe, não entendi. Responda com o número de uma das opções:\n\n${menu}`;
const sendNumber = "Recebi e guardei para o atendente. Para continuar, envie o *número* de uma das opções do menu.";
const personComes = "Certo! Aguarde um momento, um atendente vai falar com você.";
const howWasIt = "De 1 a 3, como foi?";
const farewell = "Obrigado, até logo";

const inMenu = { status: "pending", chatbot: true, rating: null } as const;
const waiting = { status: "pending", chatbot: false, rating: null } as const;

const picture = {
  image: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};
const place = { location: { latitude: -23.55, longitude: -46.63 } };

export const conversations: readonly Conversation[] = [
  {
    about: "one queue: straight in, with the greeting (Q-03)",
    line: "clinic",
    turns: [
      { sends: "oi", receives: ["Bem-vindo à Clínica\n\nAqui é a Recepção"] },
      { sends: "quero marcar" },
      { sends: "1" },
    ],
    ends: { ...waiting, queue: "Recepção" },
  },
  {
    about: "several queues: chosen by its number (Q-03)",
    line: "shop",
    turns: [{ sends: "olá", receives: [shopMenu] }, { sends: " 2 ", receives: [support] }, { sends: "não liga" }],
    ends: { ...waiting, queue: "Suporte" },
  },
  {
    about: "down two levels to a leaf, which hands over, and back (Q-04)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "1", receives: [prices] },
      { sends: "2", receives: ["São R$ 100 por ano"] },
      { sends: "0", receives: [prices] },
    ],
    ends: { ...inMenu, queue: "Vendas" },
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
    about: "wrong answers repeat the menu up to maxUseBotQueues, then a person is waited for (Q-05)",
    line: "garage",
    turns: [
      { sends: "oi", receives: [garageMenu] },
      { sends: "pois é", afterSeconds: 7, receives: [notUnderstood(garageMenu)] },
      { sends: "não sei", afterSeconds: 7, receives: [notUnderstood(garageMenu)] },
      { sends: "e agora?", afterSeconds: 7, receives: [personComes] },
      { sends: "1" },
    ],
    ends: { ...waiting, queue: null },
  },
  {
    about: "wrong answers among the options, where menus have no limit (Q-05)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "9", afterSeconds: 7, receives: [notUnderstood(shopMenu)] },
      { sends: "1", receives: [sales] },
      { sends: "9", afterSeconds: 7, receives: [notUnderstood(sales)] },
      { sends: "não sei", afterSeconds: 7, receives: [notUnderstood(sales)] },
      { sends: "vendas", afterSeconds: 7, receives: [notUnderstood(sales)] },
      { sends: "3", receives: ["Em dois dias úteis"] },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "a menu is not repeated within timeUseBotQueues, and a right answer still counts (Q-05)",
    line: "school",
    turns: [
      { sends: "oi", receives: [schoolMenu] },
      { sends: "não sei" },
      { sends: "9" },
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
    about: "a chosen queue that is closed says so once; # leads to one that is open (Q-04, Q-06)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "3", receives: [closed] },
      { sends: "#", receives: [shopMenu] },
      { sends: "3" },
      { sends: "#", receives: [shopMenu] },
      { sends: "2", receives: [support] },
    ],
    ends: { ...waiting, queue: "Suporte" },
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
    about: "a picture and a place choose nothing: a number is asked for, once (Q-05)",
    line: "shop",
    turns: [
      { sends: picture, receives: [shopMenu] },
      { sends: place, afterSeconds: 7, receives: [sendNumber] },
      { sends: "1", receives: [sales] },
      { sends: picture, afterSeconds: 7 },
    ],
    ends: { ...inMenu, queue: "Vendas" },
  },
  {
    about: "a rating is thanked for, and the ticket stays closed (Q-09)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "2", receives: [support] },
      { agent: "accepts" },
      { agent: "resolves", receives: [howWasIt] },
      { sends: "3", receives: [farewell] },
    ],
    ends: { status: "closed", queue: "Suporte", chatbot: false, rating: 3 },
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
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "2", receives: [support] },
      { agent: "accepts" },
      { agent: "resolves", receives: [howWasIt] },
      { sends: "1", receives: [farewell] },
      { sends: "2", receives: [shopMenu] },
    ],
    ends: { ...inMenu, queue: null, rating: 1 },
  },
  {
    about: "anything but 1 to 3 is no rating and begins anew (Q-09)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { agent: "accepts" },
      { agent: "resolves", receives: [howWasIt] },
      { sends: "nota 9", receives: [shopMenu] },
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
    about: "sair waits for a person (Q-04)",
    line: "shop",
    turns: [
      { sends: "oi", receives: [shopMenu] },
      { sends: "1", receives: [sales] },
      { sends: "Sair", receives: [personComes] },
      { sends: "tem alguém?" },
    ],
    ends: { ...waiting, queue: "Vendas" },
  },
  {
    about: "another machine, which says the same three times, is not answered for ever (Q-05)",
    line: "shop",
    turns: [
      { sends: "Sou um robô", receives: [shopMenu] },
      { sends: "Sou um robô", afterSeconds: 7, receives: [notUnderstood(shopMenu)] },
      { sends: "Sou um robô", afterSeconds: 7, receives: [personComes] },
      { sends: "Sou um robô", afterSeconds: 7 },
    ],
    ends: { ...waiting, queue: null },
  },
];
