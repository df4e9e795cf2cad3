import { isBlank } from "@prosa/contract/blank";
import { readAnswer } from "../answers/index.ts";
import type { Answer } from "../answers/index.ts";
import type { BotScript, BotState, BotTurn, Said } from "../bot.script.ts";
import { choicesAt } from "./menus.ts";
import type { MenuChoice } from "./menus.ts";

/** What a turn means at the customer's place. */
export type Heard =
  | Exclude<Answer<MenuChoice>, { readonly kind: "other" }>
  /** A text that is no choice. */
  | { readonly kind: "wrong" }
  /** Media that are no choice. */
  | { readonly kind: "media" }
  /** Sent before anybody could have read the last answer. */
  | { readonly kind: "early" };

/** A text sent sooner than this after the menu, and no choice, is no wrong answer: nobody reads so fast (rule 6). */
export const readingMs = 5_000;
/** A burst that follows the menu text by text, each within the reading time, is over after this time. */
const burstMs = 20_000;

/**
 * What one text means to the bot: a choice of the menu that the customer sees, a command (`sair`), `words` for the person whom they
 * wait for or an answer to what an assistant asked, or nothing.
 */
export type TextMeaning = "choice" | "command" | "words" | "nothing";

/** Reads one text at the customer's place, without the turn that it belongs to. Pure. */
export function readText(script: BotScript, state: BotState, text: string): TextMeaning {
  // Once a person or a timer has ended the bot's part its menu answers nothing any more.
  const hasMenu = !state.isOver && !hasSeenNoMenu(state);
  const { kind } = readAnswer(hasMenu ? choicesAt(script, state) : [], text);
  if (kind !== "other") {
    return kind;
  }
  const isAtMenu = state.place === "start" || state.place === "queues" || state.place === "options";
  return isAtMenu && !state.isOver ? "nothing" : "words";
}

/** Nobody has seen a menu before the first message. */
function hasSeenNoMenu({ place, queueId }: BotState): boolean {
  return place === "start" && queueId === null;
}

/** Reads all that was said in a turn. What was understood last counts: "1", "não, 2" is 2. */
export function hear(script: BotScript, state: BotState, { said }: BotTurn): Heard {
  const choices = choicesAt(script, state);
  // What comes after the first message may be from somebody who knows the menu.
  const isFirst = (index: number) => index === 0 && hasSeenNoMenu(state);
  const answers = said.map(({ text }, index) => readAnswer(isFirst(index) ? [] : choices, text));
  const understood = answers.findLast(({ kind }) => kind !== "other");
  if (understood && understood.kind !== "other") {
    return understood;
  }
  const timely = said.slice(countEarly(state, said));
  if (timely.length === 0) {
    return { kind: "early" };
  }
  return { kind: timely.some(isText) ? "wrong" : "media" };
}

/** How many of the messages were sent too early to answer the last menu. */
function countEarly({ answeredAt, heardAt }: BotState, said: readonly Said[]): number {
  if (answeredAt === null) {
    return 0;
  }
  const answered = Date.parse(answeredAt);
  let previous = heardAt === null ? answered : Math.max(answered, Date.parse(heardAt));
  const timely = said.findIndex(({ at }) => {
    const isEarly = at.getTime() - previous < readingMs && at.getTime() - answered < burstMs;
    previous = Math.max(previous, at.getTime());
    return !isEarly;
  });
  return timely === -1 ? said.length : timely;
}

function isText({ kind, text }: Said): boolean {
  return kind === "chat" && !isBlank(text);
}
