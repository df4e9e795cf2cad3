import type { BulkOutcome } from "@prosa/contract";
import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MovePorts } from "../move/index.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { lockTickets } from "../tickets.queries.ts";
import { lockBulk, markUndone, removeTags, restoreStates } from "./bulk.queries.ts";

/**
 * Undoes a bulk: restores status, owner, queue, automation, episode, tags and what the bot had still to say. ERR_UNDO_TOO_LATE
 * after its deadline and a second time; a ticket that somebody changed since is refused with the same code and stays as it is.
 */
export async function undoBulk(
  ctx: Ctx,
  bulkId: string,
  { restoreWithdrawn }: Pick<MovePorts, "restoreWithdrawn">,
): Promise<readonly BulkOutcome[]> {
  const { userId } = requireUser(ctx);
  const bulk = await lockBulk(ctx, bulkId);
  if (!bulk || bulk.userId !== userId) {
    throw new AppError("ERR_NOT_FOUND", { bulkId });
  }
  if (bulk.undoneAt || bulk.undoUntil <= ctx.now()) {
    throw new AppError("ERR_UNDO_TOO_LATE");
  }

  const ids = bulk.tickets.map(({ id }) => id).toSorted((a, b) => a - b);
  const before = await lockTickets(ctx, ids);
  const isTagBulk = bulk.tickets.every(({ was }) => was === undefined);
  const restored = new Set(await (isTagBulk ? removeTags : restoreStates)(ctx, bulk.tickets));
  const withdrawn = bulk.tickets.flatMap((ticket) => (restored.has(ticket.id) ? (ticket.withdrawn ?? []) : []));
  if (withdrawn.length > 0) {
    await restoreWithdrawn(ctx, withdrawn);
  }
  await markUndone(ctx, bulkId);
  const after = new Map((isTagBulk ? before : await lockTickets(ctx, [...restored])).map((row) => [row.id, row]));
  for (const ticket of before.filter(({ id }) => restored.has(id))) {
    ctx.emit(ticketUpdated(ticket.id, ticket, after.get(ticket.id) ?? ticket));
  }
  return ids.map((ticketId) =>
    restored.has(ticketId)
      ? { ticketId, outcome: "done" }
      : { ticketId, outcome: "refused", code: "ERR_UNDO_TOO_LATE" },
  );
}
