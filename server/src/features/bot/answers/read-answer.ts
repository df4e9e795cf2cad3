import { botCommands, stopWord } from "@prosa/contract";
import { withoutCourtesy } from "./courtesy.ts";
import { matchChoice } from "./match-choice.ts";
import type { Choice } from "./match-choice.ts";
import { bareAnswer, wordsOf } from "./plain-words.ts";
import { readNumber } from "./read-number.ts";
import { withoutRequest } from "./request.ts";

export type BotCommand = keyof typeof botCommands;

/** What a customer's text means to the menu before it. */
export type Answer<C extends Choice> =
  | { readonly kind: "choice"; readonly choice: C }
  | { readonly kind: "command"; readonly command: BotCommand }
  | { readonly kind: "other" };

/** Ask for a person (behaviour 5, rule 3), in every language on every connection: customers do not know which it is. */
const stopWords: ReadonlySet<string> = new Set([
  ...Object.values(stopWord),
  ...[
    "atendente",
    "humano",
    "humana",
    "pessoa",
    "ser humano",
    "atendente humano",
    "atendimento humano",
    "pessoa de verdade",
  ],
  ...["agent", "human", "person", "real person", "human agent"],
  ...["agente", "persona", "humano", "agente humano", "persona real", "ser humano"],
]);
/** Ask for a person only within a request: "alguém?" alone asks if anybody is there. */
const anybody: ReadonlySet<string> = new Set(["alguem", "someone", "somebody", "alguien"]);

/** The words printed beside `0` and `#`. */
const backWords: ReadonlySet<string> = new Set(["voltar", "menu anterior", "back", "volver"]);
const mainMenuWords: ReadonlySet<string> = new Set([
  ...["menu", "menu inicial", "menu principal", "inicio", "voltar ao menu", "voltar ao inicio"],
  ...["main menu", "back to the menu", "volver al menu"],
]);

/** Reads an answer to a menu (behaviour 5, rules 3 and 6): the keys of every menu, then its choices, then the words. Pure. */
export function readAnswer<C extends Choice>(choices: readonly C[], text: string): Answer<C> {
  const key = readKey(text);
  if (key !== undefined && !choices.some(({ option }) => bareAnswer(option) === key)) {
    return { kind: "command", command: key === botCommands.mainMenu ? "mainMenu" : "previousMenu" };
  }
  const choice = matchChoice(choices, text);
  if (choice) {
    return { kind: "choice", choice };
  }
  const command = readCommandWord(text);
  return command ? { kind: "command", command } : { kind: "other" };
}

/** `#` or `0`, also as the menu prints them: `*[ 0 ]* - Voltar`. */
function readKey(text: string): string | undefined {
  const { mainMenu, previousMenu } = botCommands;
  if (/^#[\s\])}*_~.]*(?:[-–:].*)?$/u.test(bareAnswer(text))) {
    return mainMenu;
  }
  return readNumber(text) === Number(previousMenu) ? previousMenu : undefined;
}

function readCommandWord(text: string): BotCommand | undefined {
  const words = withoutCourtesy(wordsOf(text));
  const asked = withoutRequest(words);
  const wanted = asked.join(" ");
  if (stopWords.has(wanted) || (asked.length < words.length && anybody.has(wanted))) {
    return "stop";
  }
  if (backWords.has(words.join(" "))) {
    return "previousMenu";
  }
  return mainMenuWords.has(words.join(" ")) ? "mainMenu" : undefined;
}
