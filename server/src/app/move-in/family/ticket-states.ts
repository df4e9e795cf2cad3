import { findOutdatedTickets, saveMovedStates } from "#server/features/tickets/index.ts";
import type { MovedState } from "#server/features/tickets/index.ts";
import { findRuns } from "../move-in.queries.ts";
import { note } from "../report.ts";
import { keyOf, timeOf } from "../values.ts";
import type { CompanyMove } from "./family-move.ts";
import type { SourceRow } from "./family.queries.ts";
import { standing, stateOf } from "./tickets.ts";

/**
 * Conversations that an earlier run brought stand as they do in the source by now: who was served there meanwhile is not open here, and
 * who wrote again waits. Those that somebody has worked on here stay as they are.
 */
export async function refreshStates(move: CompanyMove, earlier: ReadonlySet<number>): Promise<void> {
  const { family, oldCompanyId, target, ids } = move;
  if (earlier.size === 0) {
    return;
  }
  const runs = await target.inCompany(null, (tx) => findRuns(tx, target.sourceId));
  const columns = ["id", "status", "unreadMessages", "userId", "queueId", "updatedAt"];
  const seen = new Set<number>();
  for await (const rows of family.read({ table: "Tickets", columns, order: standing }, oldCompanyId)) {
    // The first of a conversation is the one that it stands by.
    const first = rows.flatMap((row) => {
      const id = ids.of("tickets", row["id"]);
      if (id === undefined || seen.has(id)) {
        return [];
      }
      seen.add(id);
      return earlier.has(id) ? [{ id, row }] : [];
    });
    await refreshBatch(move, runs, first);
  }
}

async function refreshBatch(
  move: CompanyMove,
  runs: readonly number[],
  rows: readonly { readonly id: number; readonly row: SourceRow }[],
): Promise<void> {
  const { target, companyId, chats, ids, report } = move;
  const fresh = await target.inCompany(companyId, async (tx) => {
    const episodes = await tx.findMoved(
      "episodes",
      rows.map(({ row }) => keyOf(row)),
    );
    const states = rows
      .map(({ id, row }): MovedState => ({
        id,
        ...stateOf(move, row),
        queueId: ids.of("queues", row["queueId"]) ?? null,
        episodeId: episodes.get(keyOf(row)) ?? null,
        at: timeOf(row["updatedAt"]) ?? new Date().toISOString(),
      }))
      // One that is under way has an episode that runs.
      .filter(({ status, episodeId }) => status === "closed" || episodeId !== null);
    const outdated = new Map(
      (await findOutdatedTickets(tx, companyId, { runs, states })).map(({ id, isUntouched }) => [id, isUntouched]),
    );
    const taken = states.filter(({ id }) => outdated.get(id));
    if (outdated.size > taken.length) {
      note(
        report,
        "conversations stand otherwise in the source by now, but somebody has worked on them here: they stay as they are",
        outdated.size - taken.length,
      );
    }
    if (!tx.isDry && taken.length > 0) {
      await saveMovedStates(tx, companyId, taken);
    }
    return taken;
  });
  for (const { id, status } of fresh) {
    const chat = chats.get(id);
    if (chat) {
      chats.set(id, { ...chat, isClosed: status === "closed" });
    }
  }
}
