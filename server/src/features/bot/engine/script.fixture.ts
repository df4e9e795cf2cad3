import { defaultSchedules } from "@prosa/contract";
import type { BotOption, BotQueue, BotScript, BotState, Said } from "../bot.script.ts";
import { initialState } from "../bot.script.ts";
import { defaultTextsIn } from "../default-texts.ts";
import { decideTurn } from "./engine.ts";

/** A Wednesday, 10:00 in São Paulo. */
export const working = new Date("2026-11-18T13:00:00Z");
/** The night after it, 23:00. */
export const night = new Date("2026-11-19T02:00:00Z");

export const texts = defaultTextsIn("pt");

export const option = (id: number, change: Partial<BotOption> = {}): BotOption => ({
  id,
  option: String(id % 10),
  title: `Opção ${id}`,
  message: `Texto ${id}`,
  media: null,
  fileListId: null,
  children: [],
  ...change,
});

export const queue = (id: number, change: Partial<BotQueue> = {}): BotQueue => ({
  id,
  name: id === 1 ? "Vendas" : "Suporte",
  greeting: `Olá da fila ${id}`,
  outOfHoursMessage: "",
  schedules: defaultSchedules,
  options: [],
  assistant: null,
  ...change,
});

export const tree = [option(11, { children: [option(111), option(112)] }), option(12)];

export const script = (change: Partial<BotScript> = {}): BotScript => ({
  scheduleType: "disabled",
  companySchedules: defaultSchedules,
  timeZone: "America/Sao_Paulo",
  service: { isActive: true, endsAt: null },
  greeting: "Bem-vindo",
  outOfHoursMessage: "Voltamos amanhã",
  queues: [queue(1, { options: tree }), queue(2)],
  otherQueues: [],
  maxRepeats: 3,
  quietMinutes: 0,
  greetsOneQueue: false,
  assistant: null,
  transfer: null,
  texts,
  ...change,
});

/** What a customer says: a text, media, or several of them within the same turn. */
export type Saying = string | { readonly kind: Said["kind"]; readonly text?: string } | readonly Saying[];

/** Seconds between two turns of `play`: enough to read a menu. */
export const secondsBetween = 10;

/** Plays a conversation, a turn each ten seconds or at the given times. Returns for each turn what the bot said and did. */
export function play(
  story: BotScript,
  sayings: readonly (Saying | { readonly say: Saying; readonly at: Date })[],
  { from = working, state = initialState }: { readonly from?: Date; readonly state?: BotState } = {},
) {
  let current = state;
  return sayings.map((each, index) => {
    const { say, at } =
      typeof each === "object" && "say" in each
        ? each
        : { say: each, at: new Date(from.getTime() + index * secondsBetween * 1_000) };
    const decision = decideTurn(story, current, { said: saidOf(say, at), at });
    current = decision.state;
    const { messages, queueId, outcome } = decision;
    return { sent: messages.map(({ text }) => text), queue: queueId, outcome, decision };
  });
}

/** The texts that the bot sends in a conversation, a list for each turn. */
export function heardBy(
  story: BotScript,
  ...args: Parameters<typeof play> extends [unknown, ...infer Rest] ? Rest : never
) {
  return play(story, ...args).map(({ sent }) => sent);
}

export function saidOf(saying: Saying, at: Date): Said[] {
  if (typeof saying === "string") {
    return [{ messageId: 1, kind: "chat", text: saying, at }];
  }
  return "kind" in saying
    ? [{ messageId: 1, kind: saying.kind, text: saying.text ?? "", at }]
    : saying.flatMap((each) => saidOf(each, at));
}

export const photo = { kind: "image" } as const;
export const voice = { kind: "audio" } as const;
export const sticker = { kind: "sticker" } as const;

const stop = "*[ sair ]* - Falar com um atendente";
const ways = `*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial\n${stop}`;
export const queueMenu = `Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`;
export const salesMenu = `Olá da fila 1\n\n*[ 1 ]* - Opção 11\n*[ 2 ]* - Opção 12\n\n${ways}`;
export const deepMenu = `Texto 11\n\n*[ 1 ]* - Opção 111\n*[ 2 ]* - Opção 112\n\n${ways}`;
/** The answer to a wrong answer. */
export const again = (menu: string) => `${texts.notUnderstood}\n\n${menu}`;
