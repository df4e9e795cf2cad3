import type { OptOutWord } from "./opt-out-words.ts";

/** What stood before a contact's word. */
export interface WordContext {
  /** Who said the last thing that we said on the ticket; null: we said nothing. `answer`: our answer to such a word. */
  readonly lastSaid: "person" | "automatic" | "bulk" | "answer" | null;
  /** The bot's menu is open, where `sair` asks for a person (behaviour 5, rule 3). */
  readonly isAtMenu: boolean;
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
 * What a word does (P-02). To a person or at the bot's menu a lone "sair" or "cancelar" may answer a question, so it counts there
 * only after a campaign or a schedule, and is still heard as an answer. A word that is said again settles and changes nothing.
 */
export function decideWord(word: OptOutWord, context: WordContext): WordDecision {
  const { lastSaid, isAtMenu, isOpen, hadBulk, isOptedOut } = context;
  const answersMenu = isAtMenu && lastSaid === "automatic";
  const isAlone = lastSaid === "answer" || lastSaid === "bulk" || (lastSaid === "automatic" && !answersMenu);
  if (word === "back") {
    if (isOptedOut && isAlone) {
      return { change: "back", settles: !isOpen };
    }
    return lastSaid === "answer" ? { change: null, settles: !isOpen } : ignored;
  }
  const counts = hadBulk || lastSaid === "bulk" || (isAlone && word === "out");
  if (!counts) {
    return ignored;
  }
  return { change: isOptedOut ? null : "out", settles: !isOpen && !answersMenu };
}
