import type { Ctx } from "#server/platform/ctx.ts";
import { contactUpdated } from "#server/features/contacts/index.ts";
import { decideWord } from "./decide-word.ts";
import type { WordContext } from "./decide-word.ts";
import type { OptOutWord } from "./opt-out-words.ts";
import { findWordContexts, saveTakenBack } from "./opt-outs.queries.ts";
import { recordOptOut } from "./record-opt-out.ts";

/** A text of a contact that is such a word, in a chat with one person, on a ticket that is locked. */
export interface SaidWord extends Pick<WordContext, "meaningToBot" | "isOpen"> {
  readonly messageId: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly text: string;
  readonly word: OptOutWord;
  readonly at: Date;
}

export interface WordOutcome {
  readonly messageId: number;
  readonly ticketId: number;
  /** What changed, so that it is confirmed once; null: nothing. */
  readonly change: "out" | "back" | null;
  /** The message needs nobody and nothing else. */
  readonly settles: boolean;
}

/** Records opt-out words, and those that take an opt-out back, in the inbound transaction (P-02). Without any it costs no statement. */
export async function recordOptOuts(ctx: Ctx, said: readonly SaidWord[]): Promise<WordOutcome[]> {
  if (said.length === 0) {
    return [];
  }
  const contexts = new Map(await findWordContexts(ctx, [...new Set(said.map(({ ticketId }) => ticketId))]));
  const outcomes: WordOutcome[] = [];
  for (const { messageId, ticketId, contactId, text, at, meaningToBot, isOpen, word } of said) {
    const context = contexts.get(ticketId);
    if (!context) {
      continue;
    }
    const { change, settles } = decideWord(word, { ...context, meaningToBot, isOpen });
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
