import { kanban } from "@prosa/contract";
import { requireUser } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { countCards, listCards } from "./list-cards.ts";
import { moveToLane, moveToOpenLane } from "./move-card.ts";

/** All calls except the order of the lanes, which the feature tags serves. */
export function kanbanRoutes(api: Api): void {
  const { media } = api.services;

  serve(api, kanban.cards, (edge, { query }) => listCards(edge, media, requireUser(edge), query), {
    transaction: "none",
  });
  serve(
    api,
    kanban.counts,
    async (edge, { query }) => ({ lanes: [...(await countCards(edge, requireUser(edge), query))] }),
    { transaction: "none" },
  );
  serve(api, kanban.moveToLane, async (ctx, { params: { ticketId, tagId } }) => ({
    ticketId,
    tags: await moveToLane(ctx, ticketId, tagId),
  }));
  serve(api, kanban.moveToOpenLane, async (ctx, { params: { ticketId } }) => ({
    ticketId,
    tags: await moveToOpenLane(ctx, ticketId),
  }));
}
