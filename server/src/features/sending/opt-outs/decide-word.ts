import type { OptOutWord } from "./opt-out-words.ts";

/** What stood before a contact's word. */
export interface WordContext {
  /** Who said the last thing that we said on the ticket; null: we said nothing. `answer`: our answer to such a word. */
  readonly lastSaid: "person" | "automatic" | "bulk" | "answer" | null;
  /** The contact waits, and the bot has the conversation: there `sair` asks for a person (behaviour 5, rule 3). */
  readonly isWithBot: boolean;
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
 * "sair" does, so it counts there only after a campaign or a schedule. The bot still hears what was said to it. A word that is
 * said again settles and changes nothing.
 */
export function decideWord(word: OptOutWord, context: WordContext): WordDecision {
  const { lastSaid, isWithBot, isOpen, hadBulk, isOptedOut } = context;
  const answersBot = isWithBot && lastSaid === "automatic";
  const isAlone = lastSaid === "answer" || lastSaid === "bulk" || (lastSaid === "automatic" && !answersBot && !isOpen);
  if (word === "back") {
    if (isOptedOut && isAlone) {
      return { change: "back", settles: !isOpen };
    }
    return lastSaid === "answer" ? { change: null, settles: !isOpen } : ignored;
  }
  const counts =
    hadBulk || lastSaid === "bulk" || (word === "out" && (isAlone || answersBot)) || (word === "leave" && isAlone);
  if (!counts) {
    return ignored;
  }
  return { change: isOptedOut ? null : "out", settles: !isOpen && !answersBot };
}
