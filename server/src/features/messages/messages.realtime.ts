import { wireName } from "@prosa/contract";
import type { Message, Ticket, WirePayload } from "@prosa/contract";
import { conversationRooms, readTicketViews, ticketRooms, signViewMediaUrls } from "#server/features/tickets/index.ts";
import type { RecordedEvent } from "#server/platform/events/index.ts";
import type { Emission, EventHandler, EventTools } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { readMessageViews } from "./messages.view.queries.ts";
import { findPlaces } from "./messages.queries.ts";

/** New messages, to everybody who may see their ticket: lists, open conversation, bell (T-22). */
export function tellCreated(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const stories = await read(batch, tools, media);
    return stories.map(({ message, ticket }) => ({
      rooms: ticketRooms(ticket.id, ticket),
      event: wireName(tools.companyId, "appMessage"),
      payload: {
        action: "create",
        message,
        ticket,
        contact: ticket.contact,
      } satisfies WirePayload<"appMessage">,
    }));
  };
}

/** A changed message, to those who look at its conversation: of ticks, edits and files no list shows anything. */
export function tellChanged(media: MediaLinks): EventHandler {
  return async (batch, { companyId, read }): Promise<Emission[]> => {
    const { messageIds, ticketIds } = idsOf(batch);
    const [messages, places] = await read((ctx) =>
      Promise.all([readMessageViews(ctx, messageIds), findPlaces(ctx, ticketIds)]),
    );
    const placeById = new Map(places.map((place) => [place.id, place]));
    return messages.flatMap((message) => {
      const place = placeById.get(message.ticketId);
      return place
        ? {
            rooms: conversationRooms(place.id, place),
            event: wireName(companyId, "appMessage"),
            payload: {
              action: "update",
              message: signViewMediaUrls(media, companyId, message),
            } satisfies WirePayload<"appMessage">,
          }
        : [];
    });
  };
}

/** The messages of a batch as they are now, each with its ticket; what was deleted meanwhile is left out. */
async function read(
  batch: readonly RecordedEvent[],
  { companyId, read }: EventTools,
  media: MediaLinks,
): Promise<{ readonly message: Message; readonly ticket: Ticket }[]> {
  const { messageIds, ticketIds } = idsOf(batch);
  const [messages, tickets] = await read((ctx) =>
    Promise.all([readMessageViews(ctx, messageIds), readTicketViews(ctx, ticketIds)]),
  );
  const ticketById = new Map(tickets.map((ticket) => [ticket.id, signViewMediaUrls(media, companyId, ticket)]));
  return messages.flatMap((message) => {
    const ticket = ticketById.get(message.ticketId);
    return ticket ? [{ message: signViewMediaUrls(media, companyId, message), ticket }] : [];
  });
}

function idsOf(batch: readonly RecordedEvent[]) {
  const named = batch.map(
    ({ payload }) => payload as unknown as { readonly ticketId: number; readonly messageId: number },
  );
  return {
    messageIds: [...new Set(named.map(({ messageId }) => messageId))],
    ticketIds: [...new Set(named.map(({ ticketId }) => ticketId))],
  };
}
