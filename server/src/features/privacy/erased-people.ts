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
    peopleOf(message).flatMap((word) =>
      word === null ? [] : [word, matchNumber(word)].flatMap((each) => erasureMarks(signer, ctx.companyId, each)),
    );
  const marks = new Map(late.map((message) => [message, marksOf(message)]));
  const erasedAt = await findErasedAt(ctx, [...new Set([...marks.values()].flat())]);
  if (erasedAt.size === 0) {
    return messages;
  }
  return messages.filter(
    (message) => !marks.get(message)?.some((mark) => (erasedAt.get(mark)?.getTime() ?? 0) > message.sentAt.getTime()),
  );
}
