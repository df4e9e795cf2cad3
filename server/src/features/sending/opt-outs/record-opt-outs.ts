import type { Ctx } from "#server/platform/ctx.ts";
import { contactUpdated } from "#server/features/contacts/index.ts";
import { decideWord } from "./decide-word.ts";
import { readOptOutWord } from "./opt-out-words.ts";
import { findWordContexts, saveTakenBack } from "./opt-outs.queries.ts";
import { recordOptOut } from "./record-opt-out.ts";

/** A text of a contact, in a chat with one person, on a ticket that is locked. */
export interface SaidText {
  readonly messageId: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly text: string;
  readonly at: Date;
  /** The contact waits, and the bot has the conversation. */
  readonly isWithBot: boolean;
  /** A user serves it. */
  readonly isOpen: boolean;
}

export interface WordOutcome {
  readonly messageId: number;
  readonly ticketId: number;
  /** What changed, so that it is confirmed once; null: nothing. */
  readonly change: "out" | "back" | null;
  /** The message needs nobody and nothing else. */
  readonly settles: boolean;
}

/**
 * Records opt-out words, and those that take an opt-out back, in the inbound transaction (P-02). Texts that are no such word
 * cost no statement, and are not among the outcomes.
 */
export async function recordOptOuts(ctx: Ctx, texts: readonly SaidText[]): Promise<WordOutcome[]> {
  const said = texts.flatMap((text) => {
    const word = readOptOutWord(text.text);
    return word ? [{ ...text, word }] : [];
  });
  if (said.length === 0) {
    return [];
  }
  const contexts = new Map(await findWordContexts(ctx, [...new Set(said.map(({ ticketId }) => ticketId))]));
  const outcomes: WordOutcome[] = [];
  for (const { messageId, ticketId, contactId, text, at, isWithBot, isOpen, word } of said) {
    const context = contexts.get(ticketId);
    if (!context) {
      continue;
    }
    const { change, settles } = decideWord(word, { ...context, isWithBot, isOpen });
    if (change === "out") {
      const spoken = { source: "word", word: text.trim(), userId: null, note: "" } as const;
      await recordOptOut(ctx, { ...spoken, contactId, messageId, ticketId, at });
    } else if (change === "back") {
      await saveTakenBack(ctx, contactId, null);
      ctx.emit(contactUpdated(contactId));
    }
    if (change) {
      contexts.set(ticketId, { ...context, isOptedOut: change === "out", lastSaid: "answer" });
    }
    outcomes.push({ messageId, ticketId, change, settles });
  }
  return outcomes;
}
