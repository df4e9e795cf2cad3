import type { OptOutWord } from "./opt-out-words.ts";

/** What stood before a contact's word. */
export interface WordContext {
  /** Who said the last thing that we said on the ticket; null: we said nothing. `answer`: our answer to such a word. */
  readonly lastSaid: "person" | "automatic" | "bulk" | "answer" | null;
  /**
   * The contact waits, and the bot has the conversation: what the word means to it. `command`: `sair` asks for a person (behaviour
   * 5, rule 3); `words`: perhaps an answer to what an assistant asked, or said to the person who is waited for. Null: it has not.
   */
  readonly meaningToBot: "choice" | "command" | "words" | "nothing" | null;
  readonly isOpen: boolean;
  /** A campaign or a schedule wrote to the contact within 30 days, or a campaign is about to. */
  readonly hadBulk: boolean;
  readonly isOptedOut: boolean;
}

/** `settles`: the message needs nobody and nothing else; otherwise the bot and people get it as any other. */
export interface WordDecision {
  readonly change: "out" | "back" | null;
  readonly settles: boolean;
}

const ignored: WordDecision = { change: null, settles: false };

/**
 * What a word does (P-02). To a person who serves the ticket a lone "parar" or "cancelar" may answer a question, and to the bot
 * "sair" does, so it counts there only after a campaign or a schedule. A choice of the menu that the contact sees is a choice. The
 * bot hears what means something to it; of the rest our confirmation is the turn's one answer. A word that is said again settles
 * and changes nothing.
 */
export function decideWord(word: OptOutWord, context: WordContext): WordDecision {
  const { lastSaid, meaningToBot, isOpen, hadBulk, isOptedOut } = context;
  if (word === "back") {
    return decideBack(context);
  }
  // Below a confirmation stands the menu still, and whoever has opted out says nothing more about it.
  const isBotLast = lastSaid === "automatic" || (lastSaid === "answer" && isOptedOut);
  const answersBot = meaningToBot !== null && isBotLast;
  if (answersBot && meaningToBot === "choice") {
    return ignored;
  }
  const isAlone = !answersBot && isToOwnText(context);
  const counts =
    hadBulk || lastSaid === "bulk" || (word === "out" && (isAlone || answersBot)) || (word === "leave" && isAlone);
  if (!counts) {
    return ignored;
  }
  const isHeardByBot = meaningToBot === "command" || (meaningToBot === "words" && word === "perhapsOut");
  return { change: isOptedOut ? null : "out", settles: !isOpen && !(answersBot && isHeardByBot) };
}

/** To the bot "voltar" is a command, unless our confirmation has just named it. */
function decideBack(context: WordContext): WordDecision {
  const { lastSaid, meaningToBot, isOpen, isOptedOut } = context;
  const answersBot = meaningToBot !== null && lastSaid === "automatic";
  if (isOptedOut && !answersBot && isToOwnText(context)) {
    return { change: "back", settles: !isOpen };
  }
  return lastSaid === "answer" ? { change: null, settles: !isOpen } : ignored;
}

/** Is the word said to what we wrote by ourselves, and to nobody who serves the ticket? */
function isToOwnText({ lastSaid, isOpen }: WordContext): boolean {
  return lastSaid === "answer" || lastSaid === "bulk" || (lastSaid === "automatic" && !isOpen);
}
