import { products, tags, ticketBulks, tickets } from "@prosa/contract";
import type { BulkOutcome, Ticket, TicketFilter } from "@prosa/contract";
import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { JsonText, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { actOnTickets, undoBulk } from "./bulk/index.ts";
import { createTicket } from "./create/index.ts";
import { productsOfTicket, addProduct, setTags, removeProduct } from "./labels/index.ts";
import { countTickets, listTickets } from "./list/index.ts";
import { listTransferTargets, updateTicket } from "./move/index.ts";
import type { MovePorts } from "./move/index.ts";
import { signMediaUrls, signViewMediaUrls } from "./sign-media-urls.ts";
import { mustSee } from "./tickets.policy.ts";
import type { SavedTicket } from "./tickets.queries.ts";
import { deleteTicket, visibleTicket } from "./tickets.service.ts";
import {
  readEpisodes,
  readSavedView,
  readTicketDetails,
  readTicketDetailsByUuid,
  readTicketViews,
} from "./tickets.view.queries.ts";

export function ticketRoutes(api: Api, ports: MovePorts): void {
  const { media } = api.services;

  serve(
    api,
    tickets.list,
    async (edge, { query }) => {
      const user = requireUser(edge);
      return listTickets(edge, media, user, query);
    },
    { transaction: "none" },
  );

  serve(
    api,
    tickets.counts,
    async (edge, { query }) => {
      const user = requireUser(edge);
      const [open, pending] = await Promise.all(
        (["open", "pending"] as const).map((status) => countTickets(edge, user, { ...noFilter, ...query, status })),
      );
      return { open: open ?? 0, pending: pending ?? 0 };
    },
    { transaction: "none" },
  );

  serve(api, tickets.transferTargets, (ctx) => listTransferTargets(ctx));
  serve(api, tickets.get, async (ctx, { params }) => visibleView(ctx, await readTicketDetails(ctx, params.id)));
  serve(api, tickets.byUuid, async (ctx, { params }) =>
    visibleView(ctx, await readTicketDetailsByUuid(ctx, params.uuid)),
  );
  serve(api, tickets.episodes, async (ctx, { params }) => {
    await visibleTicket(ctx, params.id);
    return readEpisodes(ctx, params.id);
  });

  serve(api, tickets.create, async (ctx, { body }) => viewOf(ctx, await createTicket(ctx, body)));
  serve(api, tickets.update, async (ctx, { params, body }) =>
    viewOf(ctx, await updateTicket(ctx, params.id, body, ports)),
  );
  serve(api, tickets.remove, async (ctx, { params }) => {
    await deleteTicket(ctx, params.id);
    return { message: "Ticket deleted" };
  });

  serve(api, ticketBulks.act, async (ctx, { body }) => {
    const { bulkId, outcomes } = await actOnTickets(ctx, body.ticketIds, body.act, ports);
    return { bulkId, outcomes: [...outcomes], tickets: await changedViews(ctx, outcomes) };
  });
  serve(api, ticketBulks.undo, async (ctx, { params }) => {
    const outcomes = await undoBulk(ctx, params.bulkId, ports);
    return { outcomes: [...outcomes], tickets: await changedViews(ctx, outcomes) };
  });

  serve(api, tags.sync, async (ctx, { body }) => {
    const { ticketId } = body;
    return { ticketId, tags: await setTags(ctx, ticketId, body.tags) };
  });
  serve(api, products.ofTicket, (ctx, { params }) => productsOfTicket(ctx, params.ticketId));
  serve(api, products.addToTicket, (ctx, { params }) => addProduct(ctx, params.ticketId, params.productId));
  serve(api, products.takeFromTicket, (ctx, { params }) => removeProduct(ctx, params.ticketId, params.productId));

  function visibleView(ctx: Ctx, ticket: Ticket | undefined): Ticket {
    if (!ticket) {
      throw new AppError("ERR_NO_TICKET_FOUND");
    }
    mustSee(ctx.actor, ticket);
    return signViewMediaUrls(media, ctx.companyId, ticket);
  }

  async function changedViews(ctx: Ctx, outcomes: readonly BulkOutcome[]): Promise<Ticket[]> {
    const ids = outcomes.filter(({ outcome }) => outcome === "done").map(({ ticketId }) => ticketId);
    return ids.length === 0
      ? []
      : (await readTicketViews(ctx, ids)).map((view) => signViewMediaUrls(media, ctx.companyId, view));
  }

  /** The view after a verb, for its caller, even where the caller may not see the ticket any more. */
  async function viewOf(ctx: Ctx, saved: SavedTicket): Promise<JsonText> {
    const view = await readSavedView(ctx, saved);
    if (view === undefined) {
      throw new AppError("ERR_NO_TICKET_FOUND");
    }
    return new JsonText(signMediaUrls(media, ctx.companyId, view));
  }
}

const noFilter: TicketFilter = {
  pageNumber: 1,
  searchParam: "",
  status: "",
  showAll: false,
  tags: [],
  users: [],
  queueIds: [],
  date: "",
  updatedAt: "",
  withUnreadMessages: false,
  order: "newest",
};
