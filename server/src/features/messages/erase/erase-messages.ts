import { deleteSentPayloads } from "#server/features/connections/index.ts";
import { rebuildLastMessage } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ErasedBatch, PersonalDataOwner } from "#server/platform/personal-data.ts";
import {
  countExpired,
  deleteMessages,
  deleteTraces,
  deleteUnusedWords,
  findExpiredMessages,
  findMessagesInGroups,
  findMessagesOf,
  findWordKeys,
} from "./erase.queries.ts";
import type { DaysOfKeeping, DoomedMessage } from "./erase.queries.ts";

/** Messages with their edits, reactions, previews, files, search text, and what was kept for a resend (V-02). */
export const messageData: readonly PersonalDataOwner[] = [
  {
    name: "messages",
    erase: async (ctx, { contactId }, limit) => eraseBatch(ctx, await findMessagesOf(ctx, contactId, limit)),
  },
  {
    name: "messages.in-groups",
    async erase(ctx, { numbers, lids }, limit) {
      const doomed = await findMessagesInGroups(ctx, numbers, lids, limit);
      const erased = await eraseBatch(ctx, doomed);
      for (const ticketId of new Set(doomed.map((message) => message.ticketId))) {
        await rebuildLastMessage(ctx, ticketId);
      }
      return erased;
    },
  },
  {
    name: "messages.traces",
    erase: async (ctx, { numbers, lids }, limit) => ({ rows: await deleteTraces(ctx, [...numbers, ...lids], limit) }),
  },
];

/** Deletes a batch of messages of resolved conversations whose days are over. */
export async function expiredMessages(ctx: Ctx, days: DaysOfKeeping, limit: number): Promise<ErasedBatch> {
  const doomed = await findExpiredMessages(ctx, days, limit);
  const erased = await eraseBatch(ctx, doomed);
  for (const ticketId of new Set(doomed.map((message) => message.ticketId))) {
    await rebuildLastMessage(ctx, ticketId);
  }
  return erased;
}

export { countExpired as previewExpired };

async function eraseBatch(ctx: Ctx, doomed: readonly DoomedMessage[]): Promise<ErasedBatch> {
  if (doomed.length === 0) {
    return { rows: 0 };
  }
  const words = await findWordKeys(ctx, doomed);
  await deleteSentPayloads(ctx, doomed);
  await deleteMessages(
    ctx,
    doomed.map(({ id }) => id),
  );
  await deleteUnusedWords(ctx, words);
  return { rows: doomed.length, files: doomed.flatMap(({ storageKey }) => storageKey ?? []) };
}
