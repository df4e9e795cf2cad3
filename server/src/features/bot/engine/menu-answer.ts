import { botCommands } from "@prosa/contract";
import { normalizeAnswer } from "@prosa/contract/normalize-answer";
import type { BotOption, BotQueue } from "../bot.script.ts";

type Command = keyof typeof botCommands;

/** What a customer's text means as an answer to the menu before it. Pure. */
export interface MenuAnswer {
  /** Normalized, to compare it with options; empty for a picture, a location, a voice note. */
  readonly text: string;
  /** `#`, `0` and `sair` work in every menu. */
  readonly command: Command | undefined;
}

export function readMenuAnswer(text: string): MenuAnswer {
  const answer = normalizeAnswer(text);
  const commands = Object.keys(botCommands) as Command[];
  return { text: answer, command: commands.find((command) => botCommands[command] === answer) };
}

/** The queue with this number in the menu of queues, counted from 1. */
export function matchQueue(queues: readonly BotQueue[], { text }: MenuAnswer): BotQueue | undefined {
  return /^\d{1,3}$/u.test(text) ? queues[Number(text) - 1] : undefined;
}

/** The option of the current menu that has this answer. */
export function matchOption(options: readonly BotOption[], { text }: MenuAnswer): BotOption | undefined {
  return options.find(({ option }) => normalizeAnswer(option) === text);
}
