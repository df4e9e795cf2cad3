import { matchNumber } from "@prosa/contract";
import type { Signer } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findErasedAt } from "./privacy.queries.ts";
import { erasureMarks } from "./erasure-mark.ts";

/** How old a message must be to be looked up: what is written now comes from a person who writes again. */
const lateMs = 60_000;

/**
 * Leaves out messages that were written before their person was erased (V-02): WhatsApp delivers again what a line has missed, and
 * history must not bring somebody back. Only late messages cost a query.
 */
export async function withoutErasedPeople<T extends { readonly sentAt: Date }>(
  ctx: Ctx,
  signer: Signer,
  messages: readonly T[],
  peopleOf: (message: T) => readonly (string | null)[],
): Promise<readonly T[]> {
  const late = messages.filter(({ sentAt }) => ctx.now().getTime() - sentAt.getTime() > lateMs);
  if (late.length === 0) {
    return messages;
  }
  const marksOf = (message: T) =>
    peopleOf(message).flatMap((word) => (word === null ? [] : marksOfWord(ctx, signer, word)));
  const marks = new Map(late.map((message) => [message, marksOf(message)]));
  const erasedAt = await findErasedAt(ctx, [...new Set([...marks.values()].flat())]);
  if (erasedAt.size === 0) {
    return messages;
  }
  return messages.filter(
    (message) => !marks.get(message)?.some((mark) => (erasedAt.get(mark)?.getTime() ?? 0) > message.sentAt.getTime()),
  );
}

/** Of these numbers those whose person was erased after `since`: an import that began before must not bring them back (V-02). */
export async function findErasedNumbers(
  ctx: Ctx,
  signer: Signer,
  numbers: readonly string[],
  since: Date,
): Promise<ReadonlySet<string>> {
  const marks = new Map(numbers.map((number) => [number, marksOfWord(ctx, signer, number)]));
  const erasedAt = numbers.length === 0 ? new Map() : await findErasedAt(ctx, [...new Set([...marks.values()].flat())]);
  const isErased = (mark: string) => (erasedAt.get(mark)?.getTime() ?? 0) > since.getTime();
  return new Set(numbers.filter((number) => marks.get(number)?.some(isErased)));
}

/** The marks of a number, in either spelling, or of a LID. */
function marksOfWord(ctx: Ctx, signer: Signer, word: string): string[] {
  return [word, matchNumber(word)].flatMap((each) => erasureMarks(signer, ctx.companyId, each));
}
